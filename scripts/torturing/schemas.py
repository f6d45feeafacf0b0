"""Stores and app databases with forged schemas, see forged_schemas.py."""

import collections, concurrent.futures, os, shutil, sqlite3
from . import forged_schemas, schema_edits, stores, tracks
from .schema_edits import DIFFERENT, HARMLESS, REFUSED

SECONDS, MEGABYTES = 10, 200


def run(tool, supplies, folder, count):
    sound = supplies.small_store(os.path.join(folder, "small.sqlite"))
    forgeries = forged_schemas.chosen(sound, supplies.seed, count)
    rules = collections.Counter()

    def one(index):
        forgery, place = forgeries[index], os.path.join(folder, str(index))
        os.makedirs(place)
        try:
            if forgery.kind.startswith("an app database"):
                case = Case(tool, supplies, forgery, place, index)
                case.adopt()
            else:
                case = StoreCase(tool, supplies, forgery, place, index)
                case.ask()
                case.repair()
        except sqlite3.OperationalError as error:
            if "no such module" not in str(error):
                raise
            with tool.lock:
                rules["not forged, as Python's SQLite lacks a module"] += 1
            return
        with tool.lock:
            rules[forgery.rule] += 1
        if supplies.index is None:
            shutil.rmtree(place)

    indexes = range(len(forgeries)) if supplies.index is None else [supplies.index]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, indexes))
    print(
        f"schemas: {len(indexes)} forged schemas: "
        + ", ".join(f"{number} {rule}" for rule, number in sorted(rules.items()))
    )


class Case:
    """One forged database."""

    def __init__(self, tool, supplies, forgery, place, index):
        self.tool, self.supplies, self.forgery, self.place = tool, supplies, forgery, place
        self.title = f"{index}: {forgery.kind} ({', '.join(forgery.names)})"

    def fault(self, text, kind):
        self.tool.fault(f"{self.title}: {text}", f"{self.forgery.group}: {kind}")

    def run(self, *command):
        """Runs a command; None if it crashed or used too much time or memory."""
        outcome = self.tool.run(*command, seconds=SECONDS, environment={"TMPDIR": self.place})
        if outcome.is_late:
            self.fault(
                f"`{outcome.command}` takes more than {SECONDS} s and {outcome.megabytes} MB",
                "takes too long",
            )
        elif outcome.status not in (0, 1, 2, 64):
            self.fault(outcome, f"ends with {outcome.status}")
        elif outcome.megabytes > MEGABYTES:
            self.fault(f"`{outcome.command}` takes {outcome.megabytes} MB", "takes too much memory")
        elif outcome.oddity():
            self.fault(f"{outcome}: {outcome.oddity()}", "odd output")
        else:
            return outcome
        return None

    def adopt(self):
        """A forged database of the app, which must be refused."""
        app = tracks.write_app_database(os.path.join(self.place, "app.sqlite"), 5, 10)
        schema_edits.apply(self.forgery, app)
        store = self.supplies.small_store(os.path.join(self.place, "s.sqlite"))
        before = stores.digest(store)
        outcome = self.run("adopt", app, "--store", store)
        if outcome:
            self.judge_refusal(outcome)
        if stores.digest(store) != before:
            self.fault("adopt changed the store", "changed")

    def judge_refusal(self, outcome):
        if outcome.status != 1:
            self.fault(f"{outcome}: it should be refused", "not refused")
        elif not outcome.has_one_line():
            self.fault(f"{outcome}: not one line", "not one line")
        elif not outcome.names(*self.forgery.names):
            self.fault(f"{outcome}: names none of {self.forgery.names}", "not named")


class StoreCase(Case):
    """One forged store."""

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.store = self.supplies.small_store(os.path.join(self.place, "s.sqlite"))
        schema_edits.apply(self.forgery, self.store)

    def on_copy(self, *command):
        """Runs a command on a copy of the store; returns its outcome, and the copy."""
        copy = os.path.join(self.place, "copy.sqlite")
        stores.remove(copy)
        shutil.copy(self.store, copy)
        return self.run(*command, "--store", copy), copy

    def ask(self):
        """All commands, until one crashes or hangs."""
        questions = self.supplies.questions + (
            ("backup", os.path.join(self.place, "backup.sqlite")),
            ("backup", "--app-format", os.path.join(self.place, "app.sqlite")),
        )
        for command in questions + self.supplies.changing:
            outcome, copy = self.on_copy(*command, *(["--json"] if command[0] == "import" else []))
            if outcome is None:
                return
            self.judge(command[0], outcome)
            if command[0] == "import":
                self.judge_import(outcome, copy)

    def judge(self, verb, outcome):
        rule = self.forgery.rule
        if verb == "check" and rule != HARMLESS:
            if outcome.status != 1:
                self.fault(f"{outcome}: check finds nothing", "check finds nothing")
            elif not outcome.names(*self.forgery.names):
                self.fault(
                    f"{outcome.out} {outcome}: check names none of {self.forgery.names}",
                    "check does not name it",
                )
        elif rule == REFUSED:
            self.judge_refusal(outcome)
        elif rule == HARMLESS and outcome.status != 0:
            self.fault(outcome, "a harmless store is refused")
        elif rule == DIFFERENT and outcome.status not in (0, 1, 2):
            self.fault(outcome, f"status {outcome.status}")

    def judge_import(self, outcome, copy):
        """An import never reports more kept fixes than it stored."""
        report = outcome.document or {"files": []}
        said = sum(file["kept"] for file in report["files"] if file["status"] == "imported")
        before, after = stores.fixes(self.store), stores.fixes(copy)
        if before is None or after is None:
            if said and outcome.status == 0:
                self.fault(
                    f"the import says kept {said}, and nothing can be counted", "too much said"
                )
        elif after - before < said:
            self.fault(f"the import says kept {said}, stored {after - before}", "too much said")
        elif self.forgery.rule == HARMLESS and (said == 0 or after - before != said):
            self.fault(f"the import says kept {said}, stored {after - before}", "not all is kept")

    def repair(self):
        """`check --repair` repairs what it can, and otherwise says what to do."""
        if self.forgery.rule == HARMLESS:
            return
        if not self.tool.knows("check", "--repair"):
            return self.tool.fault("check has no --repair", "check has no --repair")
        outcome, copy = self.on_copy("check", "--repair")
        if outcome is None:
            return
        if self.forgery.is_mendable or outcome.status == 0:
            if outcome.status != 0:
                self.fault(f"{outcome}: not repaired", "not repaired")
                return
            check = self.run("check", "--store", copy)
            if check is None or check.status != 0:
                self.fault(f"after check --repair: {check}", "not sound after check --repair")
            before = stores.fixes(copy)
            imported = self.run("import", self.supplies.more, "--json", "--store", copy)
            said = (
                (imported.document or {"totals": {"kept": 0}})["totals"]["kept"] if imported else 0
            )
            if not said or stores.fixes(copy) - before != said:
                self.fault(f"after check --repair: {imported}", "no import after check --repair")
        elif outcome.status != 1 or not outcome.names(*self.forgery.names):
            self.fault(
                f"{outcome}: check --repair does not say what to do", "repair does not name it"
            )
