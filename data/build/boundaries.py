"""Countries and time zones: polygons labeled (ISO 3166-1 alpha-2, IANA time zone) that tile the
plane.

Variant "osm" (the default): OpenStreetMap's time zones, which include the territorial sea, as
timezone-boundary-builder publishes them; the country of a zone is that of tzdata's zone.tab.
Variant "natural-earth", for users who cannot accept the ODbL: Natural Earth's countries, without
time zones, extended into the sea by 0.2 degrees. It is wrong for 0.2 % of the land and for 4 % of
people within 10 km of a border. PRIORITY and the special cases below implement the table in
docs/decisions/disputed-areas.md.
"""

import numpy as np
import shapely

TOLERANCE_DEGREES = 0.001
NATURAL_EARTH_TOLERANCE_DEGREES = 0.005
NATURAL_EARTH_WATERS_DEGREES = 0.2
TERRITORIAL_SEA_METERS = 22_224  # 12 nautical miles

#: Where zones overlap, the first one named here wins, otherwise the smaller one.
PRIORITY = ["Asia/Tbilisi", "Asia/Hebron", "Asia/Gaza", "Africa/Juba"]
#: A zone that is completely inside another one: by law all of it is Asia/Shanghai's.
DROPPED = {"Asia/Urumqi"}
#: Parts of a zone that ISO 3166-1 assigns to another country than zone.tab: zone, west, south,
#: east, north, country.
PARTS = [
    ("America/New_York", -75.5, 19.5, -74.8, 20.2, "CU"),  # Guantanamo Bay, leased
    ("Europe/Oslo", -10.0, 70.0, -6.5, 72.0, "SJ"),  # Jan Mayen
    ("Pacific/Honolulu", -170.5, 16.0, -168.5, 17.5, "UM"),  # Johnston Atoll
    ("America/Port-au-Prince", -75.3, 18.1, -74.7, 18.7, "UM"),  # Navassa Island
]
#: Waters with islands that several countries claim, assigned to none here: west, south, east,
#: north.
NOBODYS = [
    (111.5, 7.0, 116.4, 12.0),  # Spratly Islands
    (117.5, 14.9, 118.0, 15.4),  # Scarborough Reef
]
#: South of it every place belongs to Antarctica (the Antarctic Treaty, article VI), whatever claim
#: a zone follows.
TREATY_SOUTH = -60


def read_zones(sources):
    """The polygons of every land zone at full resolution, by name."""
    from timezonefinder import TimezoneFinder

    finder = TimezoneFinder(bin_file_location=str(sources.zone_polygons))
    zones = {}
    for name in finder.timezone_names:
        if not name.startswith("Etc/") and name not in DROPPED:
            rings = [[np.array(ring) for ring in part]
                     for part in finder.get_geometry(tz_name=name, coords_as_pairs=True)]
            zones[name] = shapely.multipolygons(
                [shapely.Polygon(part[0], part[1:]) for part in rings])
    return zones


def read_zone_tab(path):
    """Zone name to country code."""
    rows = [line.split("\t") for line in open(path, encoding="utf-8") if not line.startswith("#")]
    return {row[2].strip(): row[0] for row in rows}


def kosovo(zone, countries):
    """The part of Europe/Belgrade that is Kosovo.

    Natural Earth's border of Kosovo and Serbia, extended beyond its ends, cuts the zone into
    pieces; a piece is Kosovo's if Natural Earth has more of Kosovo in it than of Serbia. So the
    outer border remains OSM's.
    """
    xk = countries.country("XK")
    line = shapely.line_merge(shapely.intersection(xk.boundary, countries.country("RS").boundary))
    line = max(shapely.get_parts(line), key=lambda part: part.length)
    points = shapely.get_coordinates(line)

    def beyond(end, before):
        step = (end - before) / np.linalg.norm(end - before)
        return end + step * 0.1

    line = shapely.LineString(
        np.vstack([beyond(points[0], points[5]), points, beyond(points[-1], points[-6])]))
    pieces = shapely.get_parts(shapely.polygonize([shapely.union_all([zone.boundary, line])]))
    inside = [piece for piece in pieces
              if zone.contains(piece.representative_point())
              and piece.intersection(xk).area > 0.5 * piece.area]
    return shapely.union_all(inside)


def antarctica(countries):
    """Antarctica and the sea up to 12 nautical miles off it: OSM's zones there are boxes that
    extend far out."""
    parts = shapely.get_parts(countries.country("AQ"))

    def to_plane(points):  # azimuthal equidistant about the South Pole
        r = (points[:, 1] + 90) * 111_195.0
        a = np.radians(points[:, 0])
        return np.column_stack([r * np.sin(a), r * np.cos(a)])

    rings = []
    for part in parts:
        points = shapely.get_coordinates(part.exterior)
        if points[:, 1].min() < -89:  # the mainland: leave out the frame along -90 and +-180
            points = points[points[:, 1] > -89]
        rings.append(shapely.make_valid(shapely.Polygon(to_plane(points))))
    grown = shapely.buffer(shapely.union_all(rings), TERRITORIAL_SEA_METERS, quad_segs=4)
    grown = shapely.simplify(grown, 500)
    result = []
    for part in shapely.get_parts(grown):
        x, y = shapely.get_coordinates(part.exterior).T
        longitude, latitude = np.degrees(np.arctan2(x, y)), np.hypot(x, y) / 111_195.0 - 90
        if part.contains(shapely.Point(0, 0)):
            result.append(polar_ring(longitude, latitude))
        else:
            longitude = np.where(longitude - longitude[0] > 180, longitude - 360, longitude)
            longitude = np.where(longitude - longitude[0] < -180, longitude + 360, longitude)
            result.append(shapely.Polygon(np.column_stack([longitude, latitude])))
    whole = shapely.union_all(shapely.make_valid(np.array(result)))
    pieces = [shapely.intersection(shapely.affinity.translate(whole, shift),
                                   shapely.box(-180, -90, 180, -55))
              for shift in (-360, 0, 360)]
    return shapely.union_all(pieces)


def polar_ring(longitude, latitude):
    """A ring around the pole as a polygon of the longitude-latitude plane, from -180 to 180 and
    down to -90."""
    turns = np.unwrap(np.radians(longitude))
    longitude = np.degrees(turns)
    if longitude[-1] < longitude[0]:
        longitude, latitude = longitude[::-1], latitude[::-1]
    longitude, latitude = longitude[:-1], latitude[:-1]
    points = np.concatenate(
        [np.column_stack([longitude + shift, latitude]) for shift in (-360, 0, 360)])
    ring = np.vstack([points, [points[-1, 0], -90.0], [points[0, 0], -90.0]])
    return shapely.intersection(shapely.make_valid(shapely.Polygon(ring)),
                                shapely.box(-180, -90, 180, -55))


def islands_without_zone(zones, countries):
    """(country, polygon) of the islands that Natural Earth has and no zone touches, with their
    territorial sea.

    All are uninhabited. Antarctica has a separate function; islands with two claimants (the Senkaku
    Islands) are excluded.
    """
    tree = shapely.STRtree(np.concatenate([shapely.get_parts(zone) for zone in zones.values()]))
    parts = {}
    for code, part in zip(countries.codes, countries.parts):
        if code not in ("", "AQ", "JP") and not len(tree.query(part, predicate="intersects")):
            stretch = np.cos(np.radians(part.centroid.y))
            flat = shapely.transform(part, lambda points: points * [stretch, 1])
            grown = shapely.buffer(flat, TERRITORIAL_SEA_METERS / 111_195.0, quad_segs=4)
            parts.setdefault(code, []).append(
                shapely.transform(grown, lambda points: points / [stretch, 1]))
    return [(code, shapely.union_all(polygons)) for code, polygons in sorted(parts.items())]


def osm(sources, countries, open_ocean, tolerance=TOLERANCE_DEGREES):
    """(polygons, labels): every zone with its country, overlaps resolved, simplified with its
    topology kept.

    With a tolerance of 0 they are unchanged from the source.
    """
    zones, zone_country = read_zones(sources), read_zone_tab(sources.zone_tab)
    pieces = []  # (rank, area, country, zone, polygon)

    # Areas without a country in the table come first, so that no other country gets them.
    pieces.append((0, 0, "", "", countries.named("Bir Tawil")))
    pieces += [(0, 0, "", "", shapely.box(*bounds)) for bounds in NOBODYS]
    # zones reach out to baselines and to 200 miles: no territorial waters
    pieces.append((1, 0, "", "", open_ocean))

    bangkok = shapely.get_parts(zones.pop("Asia/Bangkok"))
    viet_nam = countries.country("VN")
    is_viet_nam = (shapely.area(shapely.intersection(bangkok, viet_nam))
                   > 0.3 * shapely.area(bangkok))
    pieces.append((2, 0, "VN", "Asia/Bangkok", shapely.multipolygons(bangkok[is_viet_nam])))
    zones["Asia/Bangkok"] = shapely.multipolygons(bangkok[~is_viet_nam])

    belgrade = zones.pop("Europe/Belgrade")
    xk = kosovo(belgrade, countries)
    pieces.append((2, 0, "XK", "Europe/Belgrade", xk))
    zones["Europe/Belgrade"] = belgrade  # Kosovo's part is removed by rank

    for name, *bounds, country in PARTS:
        parts = shapely.get_parts(zones.pop(name))
        inside = shapely.within(parts, shapely.box(*bounds))
        pieces.append((2, 0, country, name, shapely.multipolygons(parts[inside])))
        zones[name] = shapely.multipolygons(parts[~inside])

    aq = antarctica(countries)
    treaty = shapely.box(-180, -90, 180, TREATY_SOUTH)
    for name, polygon in zones.items():
        rank = 3 + PRIORITY.index(name) if name in PRIORITY else 8
        if shapely.bounds(polygon)[1] < TREATY_SOUTH:
            south = shapely.intersection(shapely.intersection(polygon, treaty), aq)
            pieces.append((rank, south.area, "AQ", name, south))
            polygon = shapely.difference(polygon, treaty)
        if not polygon.is_empty:
            pieces.append((rank, polygon.area, zone_country[name], name, polygon))
    pieces.append((9, 0, "AQ", "", aq))  # outside all claimed zones
    pieces += [(9, 1, code, "", polygon)
               for code, polygon in islands_without_zone(zones, countries)]

    pieces.sort(key=lambda piece: piece[:4])
    polygons = shapely.coverage_clean(np.array([only_polygons(piece[4]) for piece in pieces]),
                                      merge_strategy="min_index")
    if tolerance:
        polygons = shapely.coverage_simplify(polygons, tolerance)
    keep = [i for i, piece in enumerate(pieces) if piece[2] and not polygons[i].is_empty]
    return polygons[keep], [(pieces[i][2], pieces[i][3]) for i in keep]


def natural_earth(countries):
    """(polygons, labels) of the variant: land as drawn, then the nearest area around it, without
    overlaps.

    Where the waters of two countries would overlap, the country whose code comes first
    alphabetically gets them.
    """
    codes = sorted(set(countries.codes) - {""})
    land = shapely.coverage_clean(
        np.array([only_polygons(countries.country(code)) for code in codes]),
        merge_strategy="min_index")
    land = shapely.coverage_simplify(land, NATURAL_EARTH_TOLERANCE_DEGREES)
    waters = shapely.intersection(
        shapely.buffer(land, NATURAL_EARTH_WATERS_DEGREES, quad_segs=3),
        shapely.box(-180, -90, 180, 90))
    pieces = shapely.coverage_clean(
        np.array([only_polygons(polygon) for polygon in [*land, *waters]]),
        merge_strategy="min_index")
    keep = ~shapely.is_empty(pieces)
    return pieces[keep], [(code, "") for code, kept in zip([*codes, *codes], keep) if kept]


def only_polygons(geometry):
    """The polygons of a geometry, without slivers below 1e-9 square degrees (12 square meters)."""
    parts = [part for part in shapely.get_parts(geometry)]
    flat = [inner for part in parts for inner in shapely.get_parts(part)]
    return shapely.MultiPolygon([p for p in flat if p.geom_type == "Polygon" and p.area > 1e-9])


def coverage_area(polygon):
    """The area of a polygon in km2, with the coverage's formula: cells of longitude and sine of
    latitude on a sphere.

    Along an edge the latitude is linear in the longitude, so the integral of its sine is exact:
    dlambda * (cos phi1 - cos phi2) / (phi2 - phi1).
    """
    total = 0.0
    for part in shapely.get_parts(shapely.orient_polygons(polygon)):
        for ring in [part.exterior, *part.interiors]:
            points = np.radians(shapely.get_coordinates(ring))
            longitude, latitude = points[:, 0], points[:, 1]
            d, e = np.diff(longitude), np.diff(latitude)
            middle = (latitude[1:] + latitude[:-1]) / 2
            flat = np.abs(e) < 1e-9
            slope = np.where(flat, 1, e)
            mean = np.where(flat, np.sin(middle),
                            (np.cos(latitude[:-1]) - np.cos(latitude[1:])) / slope)
            total -= float((d * mean).sum())
    return total * 6371.0072 ** 2


def land_areas(polygons, countries, land):
    """The area of each country's land in km2, from its polygons and the land mask as packed."""
    tree = shapely.STRtree(land)
    shapely.prepare(land)
    areas = {}
    for polygon, country in zip(polygons, countries):
        for part in shapely.get_parts(polygon):
            near = land[np.sort(tree.query(part))]
            whole = shapely.contains_properly(near, part)
            pieces = [part] if whole.any() else shapely.intersection(near, part)
            for piece in pieces:
                area = coverage_area(only_polygons(piece))
                areas[country] = areas.get(country, 0.0) + area
    return areas
