"""What the checks of text formats share: programs that must not complain."""

import pathlib
import subprocess

from reference import features, layers, same  # noqa: F401: others take them from here

#: The digits after the point that positions may have.
PLACES = 9


def properties(feature):
    """The columns of a feature: its properties without the times of positions."""
    return {name: value for name, value in feature["properties"].items() if name != "times"}


def rounded(coordinates):
    """Nested positions with the digits that files have."""
    if isinstance(coordinates, (int, float)):
        return round(float(coordinates), PLACES) + 0.0  # no -0.0
    return [rounded(one) for one in coordinates]


def quiet(*command):
    """The standard output of a program that must not warn."""
    done = subprocess.run([str(one) for one in command], capture_output=True)
    errors = done.stderr.decode(errors="replace")
    assert done.returncode == 0, f"{command[0]} failed: {errors.strip()[:500]}"
    complaints = [
        line for line in errors.splitlines()
        if "warning" in line.lower() or "error" in line.lower()]
    assert not complaints, f"{command[0]} complains: {complaints[:3]}"
    return done.stdout.decode(errors="replace")


def without_forbidden(text):
    """A text without the characters that XML 1.0 forbids."""
    return "".join(
        one for one in text if one in "\t\n\r" or (one >= " " and one not in "\ufffe\uffff"))


def run(body):
    """Runs a check on the two arguments and prints what it returns; exits with 1 if it fails."""
    import sys

    if len(sys.argv) != 3:
        sys.exit(f"Usage: {sys.argv[0]} FILE REFERENCE_FOLDER")
    path = pathlib.Path(sys.argv[1])
    try:
        print(f"{path.name}: {body(path, layers(sys.argv[2]))}.")
    except AssertionError as error:
        sys.exit(f"{path.name}: {error}")
