"""The peak memory of a process, as a line of Python that the process runs itself.

``ru_maxrss`` starts from what the parent held when it forked, so that a large test before would count.
"""

PEAK_MB = """
def peak_mb():
    try:
        lines = open("/proc/self/status").read().splitlines()
        return next(int(line.split()[1]) // 1024 for line in lines if line.startswith("VmHWM"))
    except OSError:
        import resource
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
"""
