"""What a script prints in an interpreter of its own, which has imported nothing and holds no memory yet."""

import os
import subprocess
import sys


def printed(script, *arguments, **environment):
    """Standard output; a script that fails shows its error."""
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
