"""Commands that must fail: one line, status 1, and nothing changed."""

from . import rows
from .bench import address, require
from .server import Database


def run(owner, target, what, *, reason="", command="push", options=(), environment=None,
        watched=None, secret=None, expected=1):
    """Runs a push or pull that must fail. Returns its line.

    watched is the database whose rows must be as before, the target if that is one; reason is a
    part of the line; secret is what neither output may show."""
    before_environment = dict(owner.environment)
    owner.environment.update(environment or {})
    watched = watched or (target if isinstance(target, Database) else None)
    before, state = watched and rows.contents(watched), owner.state()
    try:
        result = owner.result(command, address(target), "--person", owner.person, *options)
    finally:
        owner.environment = before_environment
    line(
        what, result.returncode, result.stdout, result.stderr, reason, expected=expected,
        secret=secret)
    unchanged(what, watched, before, owner, state)
    return result.stderr.strip()


def line(what, status, output, errors, reason="", expected=1, secret=None):
    """The status and what was said."""
    require(status == expected, f"{what}: status {status} and {(errors + output).strip()!r}")
    if expected == 64:
        require(
            errors.startswith("Error: ") and not output,
            f"{what}: not an error of usage: {errors!r} and {output!r}")
    else:
        require(
            errors.startswith("roqua: ") and errors.endswith("\n") and errors.count("\n") == 1
            and not output, f"{what}: not one line on standard error: {errors!r} and {output!r}")
    require(reason in errors, f"{what}: {errors.strip()!r} does not say {reason!r}")
    require(
        not secret or secret not in errors + output,
        f"{what}: a secret is shown: {errors.strip()!r}")


def unchanged(what, database, before, owner, state):
    if database:
        rows.require_equal(before, rows.contents(database), f"{what}: the rows changed")
    if state is not None:
        require(owner.state() == state, f"{what}: the store changed")
