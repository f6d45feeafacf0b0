"""Answers to questions are the documents that the commands print."""

import json

from .server import Server, require


def check(place):
    phone, reader = place.token("phone"), place.token("browser", "--read")
    with Server(place) as server:
        for index in range(10):
            path = f"/osmand/{phone}?lat={48.58 + index * 0.001}&lon=7.75&timestamp={1714557600 + index * 60}"
            require(server.get(path)[0] == 200, "a fix was refused")
    questions = {
        "/api/stats?by=country&by=year": ("stats", "--by", "country", "--by", "year"),
        "/api/where?lat=48.58&lon=7.75": ("where", "48.58", "7.75"),
        "/api/near?lat=48.58&lon=7.75&radius=2km": ("near", "48.58", "7.75", "--radius", "2km"),
        "/api/at?time=2024-05-01T10:05:00Z": ("at", "2024-05-01T10:05:00Z"),
        "/api/days?by=year": ("days", "--by", "year"),
        "/api/places?by=city&all=1": ("places", "--by", "city", "--all"),
        "/api/coverage": ("coverage",), "/api/settings": ("settings",),
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
        require(status == 400 and b"error" in body, f"an unknown country: {status} {body}")
        status, headers, body = server.get("/tiles/14/8544/5656.png", reader)
        require(status == 200 and body[:4] == b"\x89PNG", f"a tile: {status}")
        status, headers, body = server.get("/metrics", reader)
        require(
            status == 200 and headers["content-type"].startswith("text/plain; version=0.0.4"),
            f"metrics: {status} {headers}")
        require(server.get("/health")[0] == 200, "health")
    return f"{len(questions) + 1} questions, tiles and metrics"
