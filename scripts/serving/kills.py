"""Kills the server again and again: what was acknowledged is in the store."""

import http.client
import random
import threading
import time

from .server import Server, require

DEVICES = 4


class Phone(threading.Thread):
    """Sends fixes one after another until the server is gone, and remembers what was taken. A fix
    without an answer is sent again to the next server, as phones do."""

    def __init__(self, number, token, state):
        super().__init__()
        self.number, self.token, self.state = number, token, state

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.state["port"], timeout=5)
        while True:
            index = self.state["next"][self.number]
            body = (
                f'{{"_type":"location","tst":{1714557600 + index * 30},'
                f'"lat":{-40 + 20 * self.number + index * 0.001:.7f},'
                f'"lon":{7 + self.number},"acc":8}}')
            try:
                connection.request(
                    "POST", "/owntracks", body,
                    {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"})
                answer = connection.getresponse()
                answer.read()
            except (OSError, http.client.HTTPException):
                return
            if answer.status != 200:
                self.state["odd"].append(answer.status)
                return
            self.state["taken"].add((f"device-{self.number}", 1714557600000 + index * 30000))
            self.state["next"][self.number] = index + 1


def check(place, count):
    tokens = place.tokens(DEVICES)
    order = random.Random(count)
    state = {"next": [0] * DEVICES, "taken": set(), "odd": []}
    for _ in range(count):
        server = Server(place)
        state["port"] = server.port
        phones = [Phone(number, token, state) for number, token in enumerate(tokens)]
        for phone in phones:
            phone.start()
        time.sleep(order.uniform(0.05, 0.9))
        server.kill()
        for phone in phones:
            phone.join()
    # The last one ends in an orderly way, and has recorded all by then.
    with Server(place):
        pass
    require(not state["odd"], f"odd answers: {state['odd'][:3]}")
    fixes = place.fixes()
    stored = {(path, when) for path, _, when in fixes}
    lost = sorted(state["taken"] - stored)
    require(not lost, f"{len(lost)} acknowledged fixes are lost, such as {lost[:3]}")
    require(len(fixes) == len(set(fixes)), "a fix is in the store twice")
    check = place.json("check")
    require(check.get("problems") == [] or check.get("sound", True), f"the store: {check}")
    return f"{len(state['taken'])} acknowledged fixes, none lost, none twice"
