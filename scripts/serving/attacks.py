"""What a server in a home network meets, and what one behind a proxy may meet."""

import http.client
import os
import socket
import threading
import time

from .server import Server, require

MEMORY = 250


def raw(port, data, seconds=5.0):
    """Sends bytes and reads until the other end closes or the time is over."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as connection:
        answer = b""
        try:
            connection.sendall(data)
            while piece := connection.recv(65536):
                answer += piece
        except OSError:
            pass
        return answer


def check(place, tokens):
    phone = place.token("phone")
    with Server(place) as server:
        port = server.port
        figures = [
            huge_bodies(server, phone), odd_heads(port), odd_paths(port),
            slow_clients(server, phone), wrong_tokens(server, phone, tokens),
        ]
        require(server.get("/health")[0] == 200, "the server is not well afterwards")
        memory = server.memory()
        require(memory < MEMORY, f"{memory:.0f} MB of memory")
    log = (place.folder / "log").read_text()
    require(phone not in log, "a token is in the log")
    return "; ".join(figures) + f"; {memory:.0f} MB"


def huge_bodies(server, token):
    head = f"POST /owntracks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
    answer = raw(server.port, f"{head}Content-Length: {1 << 30}\r\n\r\n".encode())
    require(answer.startswith(b"HTTP/1.1 413"), f"a gigabyte announced: {answer[:60]}")
    # A gigabyte in pieces without a length: sent until it is refused.
    sent, answer = 0, b""
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
        connection.sendall(f"{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        piece = b"10000\r\n" + b"a" * 65536 + b"\r\n"
        try:
            while sent < 1 << 30:
                connection.sendall(piece)
                sent += 65536
        except OSError:
            pass
        try:
            answer = connection.recv(100)
        except OSError:
            pass
    require(sent < 64 << 20, f"{sent >> 20} MB of a body were read")
    require(not answer or answer.startswith(b"HTTP/1.1 413"), f"a body in pieces: {answer}")
    return f"a gigabyte refused after {sent >> 20} MB"


def odd_heads(port):
    cases = {
        "a long field": b"GET / HTTP/1.1\r\nA: " + b"a" * 200_000 + b"\r\n\r\n",
        "many fields": b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 5_000 + b"\r\n",
        "a long target": b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
        "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" * 100,
        "two lengths": b"POST /owntracks HTTP/1.1\r\nContent-Length: 1\r\n"
                       b"Content-Length: 2\r\n\r\nab",
        "length and pieces": b"POST /owntracks HTTP/1.1\r\nContent-Length: 5\r\n"
                             b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "a negative length": b"POST /owntracks HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "zeros": b"\0" * 100_000,
    }
    for name, data in cases.items():
        answer = raw(port, data, seconds=15)
        require(not answer or answer[9:10] == b"4", f"{name}: {answer[:60]}")
    return f"{len(cases)} odd heads"


def odd_paths(port):
    paths = (
        "/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "//etc/passwd",
        "/tiles/../../x", "/tiles/0/0/0.png%00.txt", "/api/..", "/api/stats;ls", "/\\..\\..",
        "/%ff%fe", "/" + "a/" * 1000, "/store.sqlite", "/store.sqlite.tokens", "*", "http://x/")
    for path in paths:
        answer = raw(port, f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        require(answer[9:12] in (b"404", b"400", b"401"), f"{path[:40]}: {answer[:40]}")
        require(b"root:" not in answer and b"phone" not in answer, f"{path[:40]} gives a file")
    return f"{len(paths)} odd paths"


def slow_clients(server, token):
    """Clients that send a byte from time to time try to take all connections, again and again."""
    slowest = 0
    for addresses, name in (
            # As behind a proxy: all have the address of the phone.
            (("127.0.0.1",), "one address"), (("127.0.0.2", "127.0.0.3"), "other addresses")):
        # A phone whose request comes slowly, from an address of its own.
        body = f'{{"_type":"location","tst":1714557600,"lat":1,"lon":{len(addresses)}}}'.encode()
        patient = socket.create_connection(
            ("127.0.0.1", server.port), timeout=10, source_address=("127.0.0.9", 0))
        patient.sendall(
            f"POST /owntracks HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n".encode() + body[:10])
        slow, opened, start = [], 0, time.monotonic()
        while time.monotonic() - start < 6:
            for index in range(300):
                try:
                    connection = socket.create_connection(
                        ("127.0.0.1", server.port), timeout=5,
                        source_address=(addresses[index % len(addresses)], 0))
                    # Each goes on with a byte: in its target, in a field, or in its body.
                    connection.sendall((
                        b"POST /", b"POST / HTTP/1.1\r\nHost: ",
                        b"POST /owntracks HTTP/1.1\r\nContent-Length: 9\r\n\r\n")[index % 3])
                    slow.append(connection)
                    opened += 1
                except OSError:
                    pass
            began = time.monotonic()
            message = f'{{"_type":"location","tst":{1714557600 + opened},"lat":1,"lon":2}}'
            status = server.get("/owntracks", token, message.encode())[0]
            require(status == 200, f"slow clients of {name}: a phone is answered {status}")
            slowest = max(slowest, time.monotonic() - began)
            for connection in slow[-300:]:
                try:
                    connection.send(b"x")
                except OSError:
                    pass
            for connection in slow[:-600]:
                connection.close()
            slow = slow[-600:]
        require(opened > 600, f"only {opened} slow clients of {name}")
        patient.sendall(body[10:])
        answer = patient.recv(100)
        require(answer.startswith(b"HTTP/1.1 200"), f"slow clients of {name}: {answer[:60]}")
        for connection in slow + [patient]:
            connection.close()
    require(slowest < 2, f"slow clients keep a phone waiting for {slowest:.1f} s")
    return f"a phone waited {slowest * 1000:.0f} ms at most among slow clients"


def wrong_tokens(server, token, count):
    """Many wrong tokens over a few connections, while a phone sends."""
    statuses, threads = {}, 4

    def attack():
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        for _ in range(count // threads):
            try:
                connection.request("GET", "/api",
                                   headers={"Authorization": f"Bearer {os.urandom(16).hex()}"})
                answer = connection.getresponse()
                answer.read()
                statuses[answer.status] = statuses.get(answer.status, 0) + 1
            except (OSError, http.client.HTTPException):
                connection.close()

    workers = [threading.Thread(target=attack) for _ in range(threads)]
    start = time.monotonic()
    for worker in workers:
        worker.start()
    slowest = accepted = limited = 0
    while any(worker.is_alive() for worker in workers):
        began = time.monotonic()
        body = f'{{"_type":"location","tst":{1714557700 + accepted},"lat":1,"lon":2}}'
        status = server.get("/owntracks", token, body.encode())[0]
        # All share one address here, whose limit is reached.
        require(status in (200, 429), f"a phone is answered {status} under attack")
        (accepted, limited) = (accepted + (status == 200), limited + (status == 429))
        slowest = max(slowest, time.monotonic() - began)
        time.sleep(0.05)
    seconds = time.monotonic() - start
    require(set(statuses) <= {401, 429}, f"answers to wrong tokens: {statuses}")
    require(statuses.get(401, 0) <= 40 + 2 * seconds, f"not limited: {statuses}")
    require(accepted > 0 and slowest < 5, f"a phone waited {slowest:.1f} s under attack")
    return (f"{sum(statuses.values())} wrong tokens in {seconds:.0f} s, "
            f"a phone waited {slowest * 1000:.0f} ms at most")
