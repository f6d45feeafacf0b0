"""The requests of each app's documentation, replayed with curl."""

import subprocess

from .server import Server, require

OWNTRACKS = (
    '{"_type":"location","tid":"iP","tst":%d,"lat":42.7551,"lon":-1.6402,"alt":430,"vel":4,'
    '"cog":85,"acc":8,"batt":72,"conn":"w"}')
TRANSITION = '{"_type":"transition","wtst":1,"lat":1,"lon":2,"tst":1714032000,"event":"enter"}'
OVERLAND = (
    '{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":'
    '[-122.030581,37.331800]},"properties":{"timestamp":"2015-10-01T08:00:00-0700","altitude":0,'
    '"speed":4,"horizontal_accuracy":30,"vertical_accuracy":-1,"motion":["driving","stationary"],'
    '"pauses":false,"activity":"other_navigation","desired_accuracy":100,"deferred":1000,'
    '"significant_change":"disabled","locations_in_payload":1,"battery_state":"charging",'
    '"battery_level":0.89,"device_id":"","wifi":""}}]}')
TRACCAR = (
    '{"location":{"timestamp":"2001-01-01T00:00:00.000Z","coords":{"latitude":10.0,'
    '"longitude":20.0,"accuracy":5,"speed":0,"heading":0,"altitude":0},"is_moving":false,'
    '"odometer":0,"event":"motionchange","battery":{"level":1,"is_charging":false},'
    '"activity":{"type":"still"},"extras":{}},"device_id":"48241179"}')
ALL = (
    "lat=41.74108695983887&lon=-91.84490871429443&sat=0&desc=&alt=1387.0&acc=6.0&dir=170.8&prov=gps"
    "&spd_kph=0.0&spd=0.0&timestamp=1714557600&time=2024-05-01T10:00:00.123Z&batt=51.0&aid=x&ser=y")


def check(place):
    token = place.token("phone")
    json_type = ("-H", "Content-Type: application/json")
    with Server(place) as server:
        url = server.address
        basic, bearer = ("-u", f"anna:{token}"), ("-H", f"Authorization: Bearer {token}")
        requests = (
            (url + "/owntracks", (*basic, *json_type, "-H", "X-Limit-U: anna", "-H",
                                  "X-Limit-D: phone", "-d", OWNTRACKS % 1714032000), "[]"),
            (url + "/pub?u=anna&d=phone", (*basic, *json_type, "-d", TRANSITION), "[]"),
            (url + f"/owntracks/{token}", ("-d", f"[{OWNTRACKS % 1714032000},{TRANSITION}]"), "[]"),
            (url + "/overland", (*bearer, *json_type, "-d", OVERLAND), '{"result":"ok"}'),
            (url + f"/osmand/{token}?lat=48.8566&lon=2.3522&timestamp=1609459200000&hdop=1.5"
             "&altitude=35&speed=1.5&bearing=270", (), "OK"),
            (url + f"/traccar/{token}?id=12345&lat=48.9566&lon=2.4522&timestamp=1609459300",
             ("-X", "POST"), "OK"),
            (url + f"/traccar/{token}", ("-d", "id=12345&lat=49.0566&lon=2.5522&timestamp="
                                         "2021-01-01T00:10:00Z&accuracy=10&batt=75"), "OK"),
            (url + f"/traccar/{token}", (*json_type, "-d", TRACCAR), "OK"),
            (url + f"/gpslogger?token={token}&lat=41.5&longitude=-91.5"
             "&time=2024-05-02T10:00:00.000Z&s=0.0", (), "OK"),
            (url + "/gpslogger", (*basic, "-d", ALL), "OK"),
        )
        for address, options, expected in requests:
            result = subprocess.run(
                ["curl", "-sS", "--max-time", "10", "-w", " %{http_code}", *options, address],
                capture_output=True, text=True)
            shown = address.replace(token, "TOKEN")
            require(result.stdout == f"{expected} 200", f"{shown}: {result.stdout}{result.stderr}")
        log = (place.folder / "log").read_text()
        require(token not in log, "the token is in the log")
    kept = sorted(latitude for _, latitude, _ in place.fixes())
    expected = sorted(
        [427551000, 373318000, 488566000, 489566000, 490566000, 100000000, 415000000, 417410870])
    require(kept == expected, f"kept {kept} instead of {expected}")
    return f"{len(requests)} requests answered as each app expects, {len(kept)} fixes kept"
