"""A server on a free port with a store of its own, and what the checks ask of it."""

import hashlib
import json
import os
import signal
import subprocess
import urllib.error
import urllib.request


class Failure(Exception):
    """A check that failed."""


def require(condition, message):
    if not condition:
        raise Failure(message)


class Place:
    """A folder with a store, and the tool to use on it."""

    def __init__(self, roqua, folder):
        self.executable, self.folder = roqua, folder
        self.store = folder / "store.sqlite"
        # Every fix that is 50 m from the last one counts.
        self.run("settings", "minimumIntervalSeconds", "0")

    def run(self, *arguments, status=0):
        result = subprocess.run(
            [self.executable, *arguments, "--store", self.store], capture_output=True, text=True)
        require(
            result.returncode == status,
            f"roqua {' '.join(arguments)}: status {result.returncode}: {result.stderr}")
        return result.stdout

    def run_plain(self, *arguments):
        """Runs a command that has no store."""
        result = subprocess.run([self.executable, *arguments], capture_output=True, text=True)
        require(result.returncode == 0, result.stderr)
        return result.stdout

    def json(self, *arguments):
        return json.loads(self.run(*arguments, "--json"))

    def token(self, name, *options):
        return self.run("serve", "token", "add", name, *options).strip()

    def tokens(self, count):
        """Many tokens of phones, written as the tool writes them: it would take a while."""
        path = self.folder / "store.sqlite.tokens"
        secrets = [hashlib.sha256(os.urandom(32)).hexdigest()[:43] for _ in range(count)]
        with open(path, "a", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            for index, secret in enumerate(secrets):
                digest = hashlib.sha256(secret.encode()).hexdigest()
                file.write(f"device-{index}\tphone\t{digest}\n")
        return secrets

    def fixes(self):
        """The kept fixes as (path of the source, latitude in 1e-7 degree, time in ms)."""
        lines = self.run(
            "sql", "--json",
            "SELECT s.path AS path, f.latitude AS latitude, f.time_ms AS time "
            "FROM roqua_fixes f JOIN sources s ON s.id = f.source_id")
        rows = [json.loads(line) for line in lines.splitlines() if line]
        return [(row["path"], round(row["latitude"] * 1e7), row["time"]) for row in rows]


class Server:
    """A running server."""

    def __init__(self, place, *options, port=0):
        self.place = place
        self.log = open(place.folder / "log", "a+")
        self.process = subprocess.Popen(
            [place.executable, "serve", "--listen", f"127.0.0.1:{port}", "--json", "--store",
             place.store, *options],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if not line:
            self.log.seek(0)
            raise Failure(f"the server did not start: {self.log.read()}")
        self.address = json.loads(line)["listening"]
        self.port = int(self.address.rsplit(":", 1)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()

    def stop(self):
        """Ends the server as systemd does."""
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Failure("the server did not end within 30 s of SIGTERM")
        require(status == 0, f"the server ended with status {status}")

    def kill(self):
        self.process.kill()
        self.process.wait()

    def get(self, path, token=None, body=None, headers=()):
        """The status, the fields and the body of an answer."""
        request = urllib.request.Request(self.address + path, data=body)
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        for name, value in headers:
            request.add_header(name, value)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read()

    def memory(self):
        """The resident memory in MB."""
        with open(f"/proc/{self.process.pid}/status") as file:
            for line in file:
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) / 1024
        return 0
