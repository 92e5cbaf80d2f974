"""Settings that hold for every test."""

from hypothesis import settings

# A shared machine stalls now and then: an example's time says nothing about the code.
settings.register_profile("shared-machine", deadline=None, derandomize=True)
settings.load_profile("shared-machine")
