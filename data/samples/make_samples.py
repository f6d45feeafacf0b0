#!/usr/bin/env python3
"""Makes the sample tracks beside it: the same bytes at every run, with the Python standard library only.

Each trip follows a handful of way points at a walking, riding, sailing or driving pace. The receiver adds an error that
drifts slowly (first-order autoregression), as real ones do, so that a standing receiver wanders. On top come what real
files hold: fixes of bad accuracy, a glitch, a fix at 0,0, a tunnel, a stop, sentences with a wrong checksum, a crossing
of the 180th meridian.

    python3 data/samples/make_samples.py
"""
import math
import os
import random
from datetime import datetime, timedelta, timezone

HERE = os.path.dirname(os.path.abspath(__file__))
METERS_PER_DEGREE = 111_195.0


def trip(seed, start, way_points, speed, step=5.0, stops=(), noise=3.0):
    """Yields (time, latitude, longitude, HDOP) every `step` seconds; `stops` maps a way point's index to seconds."""
    rng = random.Random(seed)
    time = datetime.fromisoformat(start).replace(tzinfo=timezone.utc)
    east = north = 0.0
    hdop = 1.0
    stops = dict(stops)
    for index, ((lat1, lon1), (lat2, lon2)) in enumerate(zip(way_points, way_points[1:])):
        scale = math.cos(math.radians((lat1 + lat2) / 2))
        turn = (lon2 - lon1 + 540) % 360 - 180
        length = math.hypot((lat2 - lat1) * METERS_PER_DEGREE, turn * METERS_PER_DEGREE * scale)
        waiting = int(stops.get(index, 0) / step)
        steps = max(1, int(length / (speed * step)))
        for i in range(-waiting, steps):
            share = max(0, i) / steps
            east = 0.97 * east + rng.gauss(0, noise * 0.25)
            north = 0.97 * north + rng.gauss(0, noise * 0.25)
            hdop = max(0.6, hdop + rng.gauss(0, 0.05) + (1.0 - hdop) * 0.05)
            lat = lat1 + (lat2 - lat1) * share + north / METERS_PER_DEGREE
            lon = lon1 + turn * share + east / (METERS_PER_DEGREE * scale)
            yield time, lat, (lon + 540) % 360 - 180, hdop
            time += timedelta(seconds=step)


def gpx(name, title, fixes, accuracy=None, spoil=None, gap_at=None):
    """Writes a GPX file. `accuracy` maps HDOP to metres for the extension; `spoil` maps an index to a changed fix."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<gpx version="1.1" creator="Roqua samples" xmlns="http://www.topografix.com/GPX/1/1">',
        f" <trk><name>{title}</name><trkseg>",
    ]
    for index, (time, lat, lon, hdop) in enumerate(fixes):
        meters = None if accuracy is None else accuracy(hdop)
        if spoil and index in spoil:
            lat, lon, hdop, meters = spoil[index](lat, lon, hdop, meters)
        if gap_at is not None and index == gap_at:
            lines.append(" </trkseg><trkseg>")
        extension = "" if meters is None else f"<extensions><accuracy>{meters:.1f}</accuracy></extensions>"
        lines.append(
            f'  <trkpt lat="{lat:.7f}" lon="{lon:.7f}"><time>{time:%Y-%m-%dT%H:%M:%SZ}</time>'
            f"<hdop>{hdop:.1f}</hdop>{extension}</trkpt>"
        )
    lines += [" </trkseg></trk>", "</gpx>", ""]
    write(name, "\n".join(lines))


def sentence(body):
    checksum = 0
    for character in body:
        checksum ^= ord(character)
    return f"${body}*{checksum:02X}"


def nmea(name, fixes, void=(), broken=(), errors=False):
    """Writes GGA, RMC and, with `errors`, GST; epochs in `void` have no fix, those in `broken` a wrong checksum."""
    lines = []
    for index, (time, lat, lon, hdop) in enumerate(fixes):
        clock, date = f"{time:%H%M%S}.00", f"{time:%d%m%y}"
        if index in void:
            lines += [sentence(f"GPGGA,{clock},,,,,0,00,99.9,,,,,,"), sentence(f"GPRMC,{clock},V,,,,,,,{date},,,N")]
            continue
        position = f"{angle(lat, 2)},{'N' if lat >= 0 else 'S'},{angle(lon, 3)},{'E' if lon >= 0 else 'W'}"
        block = [
            sentence(f"GPGGA,{clock},{position},1,09,{hdop:.1f},35.0,M,36.7,M,,"),
            sentence(f"GPRMC,{clock},A,{position},2.7,012.0,{date},,,A"),
        ]
        if errors:
            sigma = hdop * 2.4
            block.append(sentence(f"GPGST,{clock},{sigma:.1f},,,,{sigma:.1f},{sigma:.1f},{sigma * 2:.1f}"))
        if index in broken:
            block = [line[:-2] + ("00" if line[-2:] != "00" else "11") for line in block]
        lines += block
    write(name, "\r\n".join(lines) + "\r\n")


def angle(degrees, width):
    whole = int(abs(degrees))
    minutes = (abs(degrees) - whole) * 60
    if round(minutes, 5) >= 60:
        whole, minutes = whole + 1, 0.0
    return f"{whole:0{width}d}{minutes:08.5f}"


def write(name, text):
    with open(os.path.join(HERE, name), "w", encoding="utf-8", newline="") as file:
        file.write(text)


def main():
    gpx(
        "2023-06-10-istanbul-walk.gpx",
        "Istanbul: over the Galata bridge to Taksim",
        trip(
            1, "2023-06-10T07:30:00",
            [(41.0170, 28.9706), (41.0200, 28.9731), (41.0223, 28.9754), (41.0256, 28.9742), (41.0312, 28.9770),
             (41.0369, 28.9850)],
            speed=1.3, stops={3: 2400}),
        # A start under a roof: three fixes that say so by their HDOP, and one of a receiver that knows nothing.
        spoil={
            0: lambda lat, lon, hdop, meters: (0.0, 0.0, 25.0, None),
            1: lambda lat, lon, hdop, meters: (lat + 0.004, lon, 18.0, None),
            2: lambda lat, lon, hdop, meters: (lat + 0.002, lon, 14.2, None),
            3: lambda lat, lon, hdop, meters: (lat + 0.001, lon, 11.0, None),
        })
    gpx(
        "2023-08-02-munich-ride.gpx",
        "Munich: Marienplatz, English Garden, Olympic park, Nymphenburg",
        trip(
            2, "2023-08-02T14:05:00",
            [(48.1374, 11.5755), (48.1430, 11.5880), (48.1642, 11.6056), (48.1740, 11.5920), (48.1755, 11.5518),
             (48.1583, 11.5033)],
            speed=5.2, stops={4: 900}),
        accuracy=lambda hdop: hdop * 4.2,
        # Under trees the receiver admits to 85 m; and one lone glitch 40 km away, there and back in ten seconds.
        spoil={
            **{i: (lambda lat, lon, hdop, meters: (lat + 0.0005, lon, hdop, 85.0)) for i in range(60, 72)},
            150: lambda lat, lon, hdop, meters: (lat + 0.36, lon, hdop, meters),
        })
    gpx(
        "2024-02-11-cape-town-walk.gpx",
        "Cape Town: from the Waterfront to Camps Bay",
        trip(
            3, "2024-02-11T06:00:00",
            [(-33.9036, 18.4207), (-33.9180, 18.4180), (-33.9300, 18.4110), (-33.9485, 18.4030), (-33.9440, 18.3920),
             (-33.9510, 18.3776)],
            speed=1.6, step=8.0, stops={3: 1800}))
    gpx(
        "2024-03-20-taveuni-boat.gpx",
        "Fiji: round Taveuni, over the 180th meridian",
        trip(
            4, "2024-03-19T21:15:00",
            [(-16.8300, 179.9300), (-16.7750, 179.9850), (-16.7200, -179.9700), (-16.6900, -179.9000)],
            speed=7.0, step=10.0))
    gpx(
        "2024-09-14-strasbourg-kehl.gpx",
        "From Strasbourg over the Rhine to Kehl",
        trip(
            5, "2024-09-14T09:40:00",
            [(48.5819, 7.7510), (48.5800, 7.7640), (48.5740, 7.7800), (48.5676, 7.8010), (48.5700, 7.8085),
             (48.5762, 7.8075)],
            speed=1.5, stops={3: 1200}),
        gap_at=300)
    nmea(
        "2022-11-05-tokyo-walk.nmea",
        trip(
            6, "2022-11-05T23:20:00",
            [(35.6595, 139.7005), (35.6690, 139.7010), (35.6764, 139.6993), (35.6840, 139.7020), (35.6909, 139.7003)],
            speed=1.3, stops={2: 1500}),
        # An underpass without a fix, and a loose cable.
        void=range(120, 140), broken={200, 201}, errors=True)
    nmea(
        "2025-05-17-iceland-drive.nmea",
        trip(
            7, "2025-05-17T10:00:00",
            [(64.1466, -21.9426), (64.1300, -21.8200), (64.1650, -21.6950), (64.2000, -21.4500), (64.2559, -21.1290)],
            speed=21.0, step=4.0, stops={4: 600}))


if __name__ == "__main__":
    main()
