"""Kernels: arrays in, arrays out. Nothing here knows of samples, files or results."""
