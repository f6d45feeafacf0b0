"""Answers to questions are the documents that the commands print."""

import json
import socket
import time

from .server import Server, require


def check(place):
    phone, reader = place.token("phone"), place.token("browser", "--read")
    with Server(place) as server:
        for index in range(10):
            path = (f"/osmand/{phone}?lat={48.58 + index * 0.001}&lon=7.75"
                    f"&timestamp={1714557600 + index * 60}")
            require(server.get(path)[0] == 200, "a fix was refused")
    questions = {
        "/api/stats?by=country&by=year": ("stats", "--by", "country", "--by", "year"),
        "/api/where?lat=48.58&lon=7.75": ("where", "48.58", "7.75"),
        "/api/near?lat=48.58&lon=7.75&radius=2km": ("near", "48.58", "7.75", "--radius", "2km"),
        "/api/at?time=2024-05-01T10:05:00Z": ("at", "2024-05-01T10:05:00Z"),
        "/api/days?by=year": ("days", "--by", "year"),
        "/api/places?by=city&all=1": ("places", "--by", "city", "--all"),
        "/api/coverage": ("coverage",), "/api/settings": ("settings",),
        "/api/achievements?nearest=3&language=tr": (
            "achievements", "--nearest", "3", "--language", "tr"),
        "/api/within?south=48&west=7&north=49&east=8&limit=5": (
            "within", "48", "7", "49", "8", "--limit", "5"),
        "/api/within?country=FR&count": ("within", "--country", "FR", "--count"),
        "/api/coverage?tiles=14&near=48.58+7.75&limit=2": (
            "coverage", "--tiles", "14", "--near", "48.58", "7.75", "--limit", "2"),
        "/api/days?home=48.58+7.75": ("days", "--home", "48.58", "7.75"),
    }
    with Server(place) as server:
        for path, command in questions.items():
            status, headers, body = server.get(path, reader)
            require(status == 200, f"{path}: {status} {body}")
            require(headers["content-type"] == "application/json", f"{path}: {headers}")
            ask = place.run_plain if command[0] == "where" else place.run
            expected = ask(*command, "--json")
            require(json.loads(body) == json.loads(expected), f"{path}: {body} {expected}")
        status, _, body = server.get("/api/sources", reader)
        require(len(json.loads(body)["sources"]) == 1, f"sources: {body}")
        status, _, body = server.get("/api/stats?country=Nowhere", reader)
        require(
            status == 400 and json.loads(body)["error"].startswith("No country is called"),
            f"an unknown country: {status} {body}")
        status, headers, body = server.get("/tiles/14/8544/5656.png", reader)
        require(status == 200 and body[:4] == b"\x89PNG", f"a tile: {status}")
        status, headers, body = server.get("/metrics", reader)
        require(
            status == 200 and headers["content-type"].startswith("text/plain; version=0.0.4"),
            f"metrics: {status} {headers}")
        require(server.get("/health")[0] == 200, "health")
        seconds = removed(place, server, reader)
    return (f"{len(questions) + 1} questions, tiles and metrics; "
            f"events end {seconds * 1000:.0f} ms after the token is removed")


def removed(place, server, reader):
    """How long an event stream goes on after its token was removed."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=10) as connection:
        connection.sendall(
            f"GET /events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {reader}\r\n\r\n".encode())
        answer = b""
        while b"retry:" not in answer:
            piece = connection.recv(4096)
            require(piece, f"no stream: {answer[:60]}")
            answer += piece
        place.run("serve", "token", "remove", "browser")
        start = time.monotonic()
        while connection.recv(4096):
            pass
        seconds = time.monotonic() - start
    require(seconds < 1, f"events go on for {seconds:.1f} s after their token was removed")
    require(server.get("/api", reader)[0] == 401, "a removed token counts")
    return seconds
