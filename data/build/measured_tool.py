"""The built tool, as the programs that measure its answers use it."""

import argparse
import json
import subprocess

from sources import Sources


def parse(description):
    """The packages in --cache, fetched with those for measuring, and the path of --tool."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", required=True)
    parser.add_argument("--tool", required=True)
    arguments = parser.parse_args()
    sources = Sources(arguments.cache)
    sources.fetch(for_accuracy=True)
    return sources, arguments.tool


def ask(tool, longitude, latitude, *members):
    """The tool's answers: a tuple of these members for each point."""
    lines = "".join(f"{y:.7f},{x:.7f}\n" for x, y in zip(longitude, latitude))
    command = [tool, "where", "--batch", "--json"]
    run = subprocess.run(command, input=lines, text=True, capture_output=True, check=True)
    answers = map(json.loads, run.stdout.splitlines())
    return [tuple(answer[member] or "" for member in members) for answer in answers]
