"""Searches a pg_dump for what must not be in it."""

import struct


def of_number(degrees):
    """How a coordinate can be written: its digits, and the bytes of the number."""
    digits = f"{abs(degrees):.7f}"
    return [
        digits[:-2], str(round(abs(degrees) * 1e7)),
        *(struct.pack(order, degrees).hex() for order in ("<d", ">d")),
        *(struct.pack(order, round(degrees * 1e7)).hex() for order in ("<i", ">i"))]


def of_text(text):
    """A text, and its bytes as a bytea shows them."""
    return [text, text.encode().hex()]


def found(dump, traces):
    """Those that are in the dump."""
    lower = dump.lower()
    return [trace for trace in traces if trace.lower() in lower]
