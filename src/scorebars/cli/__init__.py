"""The command line: arguments to objects, a verb, an output. No statistics."""
