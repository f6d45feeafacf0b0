"""Throw-away servers and databases."""

import pathlib
import re
import subprocess
import urllib.parse

from syncing.device import Failure

STARTER = pathlib.Path(__file__).resolve().parent.parent / "postgres-cluster"
# No statement may take longer, however busy the machine is.
PATIENCE = 120


def run(*command, input=None, environment=None):
    """Runs a command that must succeed; returns its standard output."""
    result = subprocess.run(
        [str(part) for part in command], input=input, capture_output=True, text=True,
        timeout=PATIENCE, env=environment)
    if result.returncode != 0:
        raise Failure(f"{pathlib.Path(command[0]).name}: {result.stderr.strip()[:2000]}")
    return result.stdout


class Cluster:
    """A server with a socket in a folder."""

    def __init__(self, folder, port, *options):
        self.folder, self.port, self.options = pathlib.Path(folder), port, options
        self.count = 0
        # psql's password; the tool does not get it.
        self.password = None

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def start(self):
        # Its output goes to a file: the server keeps the pipe open.
        with open(self.folder.parent / f"{self.folder.name}.url", "w+") as output:
            subprocess.run(
                [STARTER, "start", self.folder, str(self.port), *self.options], stdout=output,
                check=True, timeout=PATIENCE)
            output.seek(0)
            self.printed = output.read().strip()

    def stop(self):
        subprocess.run([STARTER, "stop", self.folder], timeout=PATIENCE, check=False,
                       stdout=subprocess.DEVNULL)

    def address(self, database, user="postgres"):
        """The URL of a database."""
        host = urllib.parse.quote(str(self.folder))
        return f"postgresql:///{database}?host={host}&port={self.port}&user={user}"

    def database(self, postgis=False, tablespace=None):
        """A new, empty database."""
        self.count += 1
        name = f"test{self.count}"
        more = f" TABLESPACE {tablespace}" if tablespace else ""
        Database(self, "postgres").psql(f"CREATE DATABASE {name} TEMPLATE template0{more}")
        database = Database(self, name)
        if postgis:
            database.psql("CREATE EXTENSION postgis")
        return database

    def environment(self):
        own = {"PATH": "/usr/bin:/bin", "HOME": str(self.folder)}
        return own | ({"PGPASSWORD": self.password} if self.password else {})


class Database:
    """A database, for psql and pg_dump."""

    def __init__(self, cluster, name):
        self.cluster, self.name = cluster, name
        self.address = cluster.address(name)

    def psql(self, sql):
        """The output of a script, without headings."""
        return run(
            "psql", self.address, "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", input=sql,
            environment=self.cluster.environment())

    def value(self, sql):
        return self.psql(sql).strip()

    def number(self, sql):
        return float(self.value(sql) or 0)

    def lines(self, sql):
        return self.psql(sql).splitlines()

    def dump(self, *options):
        """pg_dump's text, without the random words that its newer versions write."""
        text = run("pg_dump", *options, self.address, environment=self.cluster.environment())
        return re.sub(r"(?m)^\\(un)?restrict .*\n", "", text)

    def session(self):
        """A psql that waits for statements, and holds its locks meanwhile."""
        return subprocess.Popen(
            ["psql", self.address, "-X", "-q", "-A", "-t"], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True, env=self.cluster.environment())

    # MARK: Pushes that run

    def pushes(self, condition="true"):
        """The processes of the server that serve a push."""
        return [int(line) for line in self.lines(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() "
            f"AND application_name = 'roqua' AND {condition}")]
