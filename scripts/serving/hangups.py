"""Ends the server while clients hang up in the middle of its answers, on a busy machine: it says
nothing, and ends with status 0."""

import os
import signal
import socket
import subprocess
import sys

from .server import Server, require

CLIENTS = 30
SPINNERS = 3 * (os.cpu_count() or 2)


def check(place, rounds):
    place.token("phone")  # without a token the server says so
    # Other programs take the processor, so that answers last until after the end of the clients.
    spinners = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(SPINNERS)]
    try:
        for _ in range(rounds):
            with Server(place) as server:
                for index in range(CLIENTS):
                    with socket.create_connection(("127.0.0.1", server.port)) as client:
                        client.sendall(b"GET /api/stats HTTP/1.1\r\nHost: roqua\r\n\r\n")
                        if index % 2:
                            client.recv(100)
                server.process.send_signal(signal.SIGTERM)
                status = server.process.wait(timeout=60)
                server.log.seek(0)
                said = server.log.read()
                require(status == 0 and not said, f"status {status}: {said}")
    finally:
        for spinner in spinners:
            spinner.kill()
            spinner.wait()
    return f"{rounds} times {CLIENTS} clients that hung up, nothing said"
