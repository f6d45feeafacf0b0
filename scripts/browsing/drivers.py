"""The Python packages of the checks, in .build/browsers (scripts/install-checkers)."""

import importlib
import os
import pathlib
import sys

PYTHON = pathlib.Path(__file__).resolve().parents[2] / ".build" / "browsers" / "bin" / "python"


def use(modules, what):
    """Starts the script again with the Python that has some modules, if this one has not.

    Exits with status 0 and a line that says what is not checked if there is no such Python.
    """
    try:
        for module in modules:
            importlib.import_module(module)
    except ImportError as error:
        if PYTHON.exists() and pathlib.Path(sys.executable) != PYTHON:
            os.execv(PYTHON, [str(PYTHON), *sys.argv])
        print(f"Skipped: {what} ({error}; scripts/install-checkers).")
        sys.exit(0)
