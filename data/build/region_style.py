"""One style for the names of regions inside a country: either all of them say what kind of division
they are ("Bong County"), or none does.

The sources mix both: "Bursa Province" and "Antalya". Where some names of a country have such a
word and others have none, the word is left out, unless nothing or not enough would be left: another
division has the rest of the name (Zagreb County and Zagreb, Hsinchu County and Hsinchu City), or
the rest is no name of its own (Eastern Province, Capital Region).
"""

from collections import defaultdict

#: Words at the end of a name. Not among them: oblasts and krais, which are part of the usual name,
#: and atolls.
KINDS = ("Province", "County", "Region", "District", "Governorate", "Municipality", "Voivodeship",
         "Department", "State", "Parish", "Division")

#: Words that are no name of a region without the kind, not even all together.
INCOMPLETE = set(
    "capital central eastern federal free gulf national north northern south southern west western "
    "east".split())

#: Words that need another one after them.
ADJECTIVES = {"autonomous", "city", "peoples'", "regional"}


def split(name):
    """The name without the word for its kind, and that word or an empty text."""
    for kind in KINDS:
        if name.lower().endswith(" " + kind.lower()):
            return name[:-len(kind) - 1], kind
    return name, ""


def is_complete(name):
    """Whether this is a name without the word for the kind."""
    words = name.lower().split()
    return words[-1] not in ADJECTIVES and not INCOMPLETE.issuperset(words)


def one_style(names):
    """These names, {(country, code): name}, in one style within each country."""
    countries = defaultdict(dict)
    for key, name in names.items():
        countries[key[0]][key] = name
    styled = dict(names)
    for entries in countries.values():
        parts = {key: split(name) for key, name in entries.items() if name}
        if all(kind for _, kind in parts.values()):
            continue
        for key, (rest, kind) in parts.items():
            is_taken = any(other != key and found[0] in (rest, f"{rest} City")
                           for other, found in parts.items())
            if kind and not is_taken and is_complete(rest):
                styled[key] = rest
    return styled
