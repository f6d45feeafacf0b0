"""How checks report: one line each, and a count of failures."""

import time
import traceback


class Failure(Exception):
    """What a check found to be wrong."""


class Report:
    """Runs checks and counts those that failed."""

    def __init__(self):
        self.failures = 0

    def check(self, name, body, *arguments):
        """Runs a check and prints a line: what it returns, or how it failed."""
        start = time.monotonic()
        try:
            found = body(*arguments)
            print(f"ok    {name}: {found} ({time.monotonic() - start:.1f} s)", flush=True)
        except Exception as error:  # a browser that dies is a failure, too
            self.failures += 1
            is_own = isinstance(error, Failure)
            text = str(error) if is_own else "".join(traceback.format_exception(error)[-3:])
            print(f"WRONG {name}: {text}", flush=True)


def require(condition, text):
    """Fails unless a condition holds."""
    if not condition:
        raise Failure(text)
