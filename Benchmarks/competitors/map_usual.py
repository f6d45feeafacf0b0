"""The explored area as most people put it on a page: GeoJSON in a page of folium and Leaflet.

    map_usual.py TILES.geojson PAGE.html

Runs with a Python that has folium and django-leaflet, whose copy of Leaflet is put into the page:
folium loads it from a server. TILES.geojson is the output of tippecanoe-decode.
"""

import importlib.util
import json
import pathlib
import re
import sys

import folium

source, page = map(pathlib.Path, sys.argv[1:])
tiles = json.loads(source.read_text())["features"]
features = [shape for tile in tiles for layer in tile["features"] for shape in layer["features"]]
shown = folium.Map(location=[45, 0], zoom_start=3, tiles=None, prefer_canvas=True)
folium.GeoJson({"type": "FeatureCollection", "features": features}).add_to(shown)
html = shown.get_root().render()
html = re.sub(r'<script src="https?://[^"]*"></script>', "", html)
html = re.sub(r'<link rel="stylesheet" href="https?://[^"]*"\s*/>', "", html)
static = pathlib.Path(importlib.util.find_spec("leaflet").origin).parent / "static" / "leaflet"
style, program = ((static / name).read_text() for name in ("leaflet.css", "leaflet.js"))
head = f"<head><style>{style}</style><script>{program}</script>"
page.write_text(html.replace("<head>", head, 1))
