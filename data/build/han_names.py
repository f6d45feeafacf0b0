"""Names of cities in Chinese, Japanese and Korean: without the word for "city", and without names
of streets.

The lists of GeoNames write some cities of East Asia with the word for "city" and others without it:
上海 and 深圳市. A city answers without it, as the English names do. In China they call some cities by a
street or a town in them, such as 南干道 for Xinxiang. Such a name is read otherwise than the city's
name, which is pinyin. Readings are those of Unicode CLDR (common/transforms/Han-Latin.xml, from
Unihan's kMandarin).
"""

import itertools
import re
import unicodedata

#: The countries whose cities have the word.
EAST_ASIA = {"CN", "JP", "KP", "KR", "TW"}
#: The word for "city", the longest one first.
CITY = {"zh": ("特别市", "市"), "ja": ("市",), "ko": ("특별자치시", "특별시", "광역시", "직할시", "시")}
#: Japanese names before whose last character the word cannot go: 四日市, 野々市.
ENDS_IN_CITY = re.compile("[日々]$")
#: The readings of names that the table, with one reading for each character, does not have.
OTHER_READINGS = {"重": "chong", "长": "chang", "厦": "xia", "番": "pan", "乐": "le", "蔚": "yu",
                  "六": "lu", "亳": "bo", "大": "da", "都": "du", "台": "tai", "单": "shan", "朝": "chao",
                  "行": "hang", "会": "kuai", "佛": "fo", "蚌": "beng", "勃": "bo", "勒": "le",
                  "什": "shi", "艾": "ai", "浚": "xun", "莘": "xin", "荥": "ying", "枞": "zong",
                  "铅": "yan", "乾": "qian", "尉": "wei"}
RULE = re.compile(r"^(?:\[([^\]]+)\]|(\S))→([^;]+);", re.MULTILINE)
#: One syllable of pinyin without its tone.
SYLLABLE = "(?:(?:[bpmfdtnlgkhjqxrzcsyw]|zh|ch|sh)?(?:i?ang|i?ong|eng|uang|ing|[iu]?an|[iu]?en|" \
    "in|un|ua?i|iao|ao|i?u|ou|[iu]?a|[iu]?e|uo|[aei]|ei|ai|er)|[bpmfwy]o)"
#: The words for a county, a district, a town and a village, which a name may have or not.
DIVISION = re.compile("[县区镇乡村]$")
PINYIN = re.compile(f"(?:{SYLLABLE})+")


def without_city(name, tag, country):
    """The name of a city without the word for "city", if two characters or more are left."""
    if country not in EAST_ASIA:
        return name
    if tag == "ja" and name == "東京都":
        return "東京"
    for word in CITY.get(tag, ()):
        short = name.removesuffix(word).rstrip()
        if short != name:
            return name if len(short) < 2 or tag == "ja" and ENDS_IN_CITY.search(short) else short
    return name


def letters(text):
    """The letters a to z of a text in Latin letters, without accents."""
    return "".join(letter for letter in unicodedata.normalize("NFD", text.lower())
                   if "a" <= letter <= "z")


class Readings:
    """The reading of each Chinese character, in pinyin without tones."""

    def __init__(self, sources):
        text = (sources.unicode_cldr / "transforms" / "Han-Latin.xml").read_text(encoding="utf-8")
        self.of = {}
        for many, one, reading in RULE.findall(text):
            for character in many or one:
                self.of.setdefault(character, letters(reading))

    def is_read(self, name, known):
        """Whether a Chinese name may be read as this name of a city in China. True for a name that
        is no pinyin: those of Tibet, Xinjiang and Inner Mongolia are in other languages."""
        spelled = letters(known)
        if "ê" in known or not PINYIN.fullmatch(spelled):
            return True
        if len(name) > 2:
            name = DIVISION.sub("", name)
        readings = [{self.of.get(character, ""),
                     OTHER_READINGS.get(character, self.of.get(character, ""))}
                    for character in name]
        return any(spelled.startswith("".join(choice)) for choice in itertools.product(*readings))
