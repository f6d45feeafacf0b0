"""Runs a program and writes its time and memory: launch.py REPORT [STDIN] -- COMMAND…

A separate process, because Linux includes the memory of the process that starts a program in the
program's peak, and the process that makes the tables may use half a gigabyte.
"""

import os
import sys
import time


def main():
    split = sys.argv.index("--")
    report, source = sys.argv[1], (sys.argv[2:split] or [os.devnull])[0]
    command = sys.argv[split + 1 :]
    streams = [
        (os.POSIX_SPAWN_OPEN, 0, source, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0),
    ]
    start = time.monotonic()
    child = os.posix_spawnp(command[0], command, os.environ, file_actions=streams)
    _, status, usage = os.wait4(child, 0)
    seconds = time.monotonic() - start
    with open(report, "w") as file:
        file.write(
            f"{os.waitstatus_to_exitcode(status)} {seconds} "
            f"{usage.ru_utime + usage.ru_stime} {usage.ru_maxrss}"
        )


main()
