"""Files of every format that `roqua import` reads, of any size, from a seed.

Each is a trip of 1 Hz at 12 m/s, written in pieces, so that the writer's memory does not grow with
the file. Positions are whole units of 1e-7 degree and times whole seconds, as the formats have
them.
"""

import math, struct, time

import numpy

#: Points in a piece.
PIECE = 16_384
#: The start of every trip: 2015-06-01T06:00:00Z.
START = 1_433_138_400
#: Meters in 1e-7 degree of latitude.
UNIT = math.pi / 180 * 6_371_007.2 / 1e7
#: The start of FIT's clock in seconds since 1970.
FIT_EPOCH = 631_065_600


class Trip:
    """Positions in 1e-7 degree and times in seconds since 1970, in pieces."""

    def __init__(self, seed, step=1):
        self.random = numpy.random.default_rng(seed)
        self.latitude, self.longitude, self.heading = 48.1, 11.5, 0.5
        self.time, self.step, self.count = START, step, 0

    def piece(self, count=PIECE):
        turns = self.random.normal(0, 0.02, count)
        headings = self.heading + numpy.cumsum(turns)
        # The trip stays between 40° and 56° of latitude, and far from ±180°.
        north = 12 * numpy.cos(headings) / UNIT / 1e7
        east = 12 * numpy.sin(headings) / UNIT / 1e7 / math.cos(math.radians(self.latitude))
        latitudes = self.latitude + numpy.cumsum(north)
        longitudes = self.longitude + numpy.cumsum(east)
        self.latitude, self.longitude = latitudes[-1], longitudes[-1]
        self.heading = headings[-1]
        if not 40 < self.latitude < 56 or not -60 < self.longitude < 60:
            self.latitude, self.longitude, self.heading = 48.1, 11.5, self.heading + 1
        times = self.time + self.step * numpy.arange(count)
        self.time += self.step * count
        self.count += count
        return (
            numpy.rint(latitudes * 1e7).astype(int),
            numpy.rint(longitudes * 1e7).astype(int),
            times,
        )


def clock(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def degrees(units):
    return f"{units / 1e7:.7f}"


def rows(trip, line):
    """The text of a piece: `line` makes that of a point."""
    latitudes, longitudes, times = (column.tolist() for column in trip.piece())
    return "".join(map(line, latitudes, longitudes, times))


def text_file(head, line, tail, separator="", step=1):
    """A format that has a head, a text for each point and a tail."""

    def write(file, size, seed):
        trip = Trip(seed, step)
        file.write(head.encode())
        while file.tell() < size:
            text = rows(trip, line)
            if separator and file.tell() == len(head.encode()):
                text = text.removeprefix(separator)
            file.write(text.encode())
        file.write(tail.encode())
        return trip.count

    return write


def write_fit(file, size, seed):
    """An activity of one definition and its records of 21 bytes: position, elevation, heart rate,
    cadence, speed and distance, as a watch writes them."""
    head = struct.pack("<BBHI4s", 14, 0x20, 2132, 0, b".FIT")
    file.write(head + struct.pack("<H", fit_sum(head)))
    file.write(bytes([0x40, 0, 0, 0, 0, 1, 0, 1, 0x00]) + bytes([0x00, 4]))
    fields = [(253, 4, 134), (0, 4, 133), (1, 4, 133), (2, 2, 132), (3, 1, 2), (4, 1, 2)]
    fields += [(6, 2, 132), (5, 2, 132)]
    file.write(bytes([0x41, 0, 0, 20, 0, len(fields)]) + bytes(sum(fields, ())))
    record = numpy.dtype(
        [("header", "u1"), ("time", "<u4"), ("latitude", "<i4"), ("longitude", "<i4")]
        + [("elevation", "<u2"), ("heart", "u1"), ("cadence", "u1")]
        + [("speed", "<u2"), ("distance", "<u2")]
    )
    trip = Trip(seed)
    while file.tell() < size:
        latitudes, longitudes, times = trip.piece()
        piece = numpy.zeros(len(times), record)
        piece["header"] = 1
        piece["time"] = times - FIT_EPOCH
        piece["latitude"] = numpy.rint(latitudes * (2**31 / 180e7))
        piece["longitude"] = numpy.rint(longitudes * (2**31 / 180e7))
        piece["elevation"], piece["heart"], piece["cadence"] = 3_000, 130, 85
        piece["speed"], piece["distance"] = 12_000, 1_200
        file.write(piece.tobytes())
    # The header states the size. A trailing sum of 0 is one that is not stated.
    length = file.tell() - 14
    head = struct.pack("<BBHI4s", 14, 0x20, 2132, length, b".FIT")
    file.write(b"\0\0")
    file.seek(0)
    file.write(head + struct.pack("<H", fit_sum(head)))
    return trip.count


def fit_sum(bytes_):
    """The checksum of FIT's header: CRC-16 with the polynomial A001 and the start 0."""
    value = 0
    for byte in bytes_:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0xA001 if value & 1 else 0)
    return value


TCX = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<TrainingCenterDatabase xmlns="http://www.garmin.com'
    '/xmlschemas/TrainingCenterDatabase/v2">\n <Activities>\n  <Activity Sport="Biking">\n'
    f"   <Id>{clock(START)}</Id>\n"
    f'   <Lap StartTime="{clock(START)}">\n    <Track>\n',
    lambda latitude, longitude, seconds: (
        f"     <Trackpoint>\n      <Time>{clock(seconds)}</Time>\n      <Position>\n"
        f"       <LatitudeDegrees>{degrees(latitude)}</LatitudeDegrees>\n"
        f"       <LongitudeDegrees>{degrees(longitude)}</LongitudeDegrees>\n      </Position>\n"
        "      <AltitudeMeters>412.4</AltitudeMeters>\n"
        f"      <DistanceMeters>{12 * (seconds - START)}.0</DistanceMeters>\n"
        "      <HeartRateBpm>\n       <Value>131</Value>\n      </HeartRateBpm>\n"
        "     </Trackpoint>\n"
    ),
    "    </Track>\n   </Lap>\n  </Activity>\n </Activities>\n</TrainingCenterDatabase>\n",
)

KML_HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2" '
    'xmlns:gx="http://www.google.com/kml/ext/2.2"><Document>\n'
)
KML_TRACK = (
    KML_HEAD + "<Placemark><gx:Track>\n",
    lambda latitude, longitude, seconds: (
        f"<when>{clock(seconds)}</when>\n"
        f"<gx:coord>{degrees(longitude)} {degrees(latitude)} 412.4</gx:coord>\n"
    ),
    "</gx:Track></Placemark>\n</Document></kml>\n",
)
KML_LINE = (
    KML_HEAD + "<Placemark><LineString><coordinates>\n",
    lambda latitude, longitude, seconds: f"{degrees(longitude)},{degrees(latitude)},412.4\n",
    "</coordinates></LineString></Placemark>\n</Document></kml>\n",
)

RECORDS = (
    '{"locations":[',
    lambda latitude, longitude, seconds: (
        f',{{"latitudeE7":{latitude},"longitudeE7":{longitude},"accuracy":20,"altitude":412,'
        f'"source":"GPS","deviceTag":279958700,"timestamp":"{clock(seconds)}"'
        + (
            ""
            if seconds % 10
            else ',"activity":[{"activity":[{"type":"STILL","confidence":62},'
            '{"type":"IN_VEHICLE","confidence":10}],"timestamp":"' + clock(seconds) + '"}]'
        )
        + "}"
    ),
    "]}",
)
SEMANTIC = (
    '{"timelineObjects":[{"activitySegment":{"duration":{"startTimestamp":"%s","endTimestamp":'
    '"%s"},"activityType":"CYCLING","simplifiedRawPath":{"points":[' % (clock(START), clock(START)),
    lambda latitude, longitude, seconds: (
        f',{{"latE7":{latitude},"lngE7":{longitude},"accuracyMeters":20,'
        f'"timestamp":"{clock(seconds)}"}}'
    ),
    "]}}}]}",
)
ANDROID = (
    '{"semanticSegments":[],"rawSignals":[',
    lambda latitude, longitude, seconds: (
        f',{{"position":{{"LatLng":"{degrees(latitude)}°, {degrees(longitude)}°",'
        '"accuracyMeters":20,"altitudeMeters":412.4,"source":"GPS",'
        f'"timestamp":"{clock(seconds)[:-1]}.000+00:00","speedMetersPerSecond":12.0}}}}'
    ),
    "]}",
)
IOS = (
    "[",
    lambda latitude, longitude, seconds: (
        f',{{"endTime":"{clock(seconds + 60)[:-1]}.000+00:00","startTime":"{clock(seconds)[:-1]}'
        f'.000+00:00","timelinePath":[{{"point":"geo:{latitude / 1e7:.6f},{longitude / 1e7:.6f}",'
        '"durationMinutesOffsetFromStartTime":"0"}]}'
    ),
    "]",
)
EDITS = (
    '{"timelineEdits":[',
    lambda latitude, longitude, seconds: (
        ',{"deviceId":"-1363210433","rawSignal":{"signal":{"position":{"point":'
        f'{{"latE7":{latitude},"lngE7":{longitude}}},"accuracyMm":5881,"altitudeMeters":412.4,'
        f'"source":"GPS","timestamp":"{clock(seconds)}"'
        f'}}}},"additionalTimestamp":"{clock(seconds + 1)}","metadata":{{"platform":"ANDROID"}}}}}}'
    ),
    "]}",
)
MESSAGE = (
    lambda latitude, longitude, seconds: (
        f'{{"_type":"location","acc":11,"alt":294,"batt":66,"bs":1,"conn":"m","lat":'
        f'{degrees(latitude)},"lon":{degrees(longitude)},"m":1,"t":"u","tid":"ro",'
        f'"topic":"owntracks/jane/phone","tst":{seconds},"vac":3,"vel":43}}\n'
    )
)
GEOJSON = (
    '{"type":"FeatureCollection","features":[',
    lambda latitude, longitude, seconds: (
        f',{{"type":"Feature","properties":{{"time":"{clock(seconds)}"}},"geometry":{{'
        f'"type":"Point","coordinates":[{degrees(longitude)},{degrees(latitude)},412.4]}}}}'
    ),
    "]}",
)
POLARSTEPS = (
    '{"locations":[',
    lambda latitude, longitude, seconds: (
        f',{{"lat":{degrees(latitude)},"lon":{degrees(longitude)},"time":{seconds}.25}}'
    ),
    "]}",
)
CSV = (
    "time,latitude,longitude,altitude,accuracy\n",
    lambda latitude, longitude, seconds: (
        f"{clock(seconds)},{degrees(latitude)},{degrees(longitude)},412.4,11\n"
    ),
    "",
)


def igc_line(latitude, longitude, seconds):
    """A B record: minutes with three decimals."""
    north, south = divmod(abs(latitude) * 6 // 1_000, 60_000)
    east, west = divmod(abs(longitude) * 6 // 1_000, 60_000)
    day = time.gmtime(seconds)
    date = (
        time.strftime("HFDTE%d%m%y\r\n", day)
        if (day.tm_hour, day.tm_min, day.tm_sec) == (0, 0, 0)
        else ""
    )
    return (
        f"{date}B{time.strftime('%H%M%S', day)}{north:02}{south:05}{'N' if latitude >= 0 else 'S'}"
        f"{east:03}{west:05}{'E' if longitude >= 0 else 'W'}A0041200412\r\n"
    )


IGC = (f"AXXX001\r\nHFDTE{time.strftime('%d%m%y', time.gmtime(START))}\r\n", igc_line, "")

#: Name, extension, and what writes a file of at least so many bytes and returns its points.
WRITERS = {
    "FIT": ("fit", write_fit),
    "TCX": ("tcx", text_file(*TCX)),
    "KML, gx:Track": ("kml", text_file(*KML_TRACK)),
    "KML, LineString": ("kml", text_file(*KML_LINE)),
    "Google, Records.json": ("json", text_file(*RECORDS, separator=",")),
    "Google, semantic history": ("json", text_file(*SEMANTIC, separator=",")),
    "Google, Android": ("json", text_file(*ANDROID, separator=",")),
    "Google, iPhone": ("json", text_file(*IOS, separator=",", step=60)),
    "Google, edits": ("json", text_file(*EDITS, separator=",")),
    "OwnTracks": ("json", text_file("", MESSAGE, "")),
    "GeoJSON": ("geojson", text_file(*GEOJSON, separator=",")),
    "Polarsteps": ("json", text_file(*POLARSTEPS, separator=",")),
    "CSV": ("csv", text_file(*CSV)),
    "IGC": ("igc", text_file(*IGC)),
}
