"""Tests of Chinese, Japanese and Korean names: `python -m unittest` in this folder."""

import pathlib
import tempfile
import types
import unittest

import han_names

RULES = """<tRule>
[新辛]→xīn;
乡→xiāng;
[南男]→nán;
干→gān;
[道到]→dào;
重→zhòng;
庆→qìng;
</tRule>"""


class WithoutCity(unittest.TestCase):
    def test_the_word_for_city_goes(self):
        for name, tag, country, short in [
                ("深圳市", "zh", "CN", "深圳"), ("横滨市", "zh", "JP", "横滨"), ("横浜市", "ja", "JP", "横浜"),
                ("四日市市", "ja", "JP", "四日市"),
                ("東京都", "ja", "JP", "東京"), ("서울특별시", "ko", "KR", "서울"), ("수원시", "ko", "KR", "수원"),
                ("라싸 시", "ko", "CN", "라싸")]:
            self.assertEqual(han_names.without_city(name, tag, country), short)

    def test_it_stays_where_it_is_part_of_the_name(self):
        for name, tag, country in [
                ("沙市", "zh", "CN"), ("四日市", "ja", "JP"), ("京都", "ja", "JP"),
                ("パナマ市", "ja", "PA"), ("상하이 시", "ko", "US"), ("Köln", "de", "DE")]:
            self.assertEqual(han_names.without_city(name, tag, country), name)


class Readings(unittest.TestCase):
    def test_a_name_is_read_as_the_city_or_is_another_one(self):
        with tempfile.TemporaryDirectory() as folder:
            cldr = pathlib.Path(folder)
            (cldr / "transforms").mkdir()
            (cldr / "transforms" / "Han-Latin.xml").write_text(RULES, encoding="utf-8")
            readings = han_names.Readings(types.SimpleNamespace(unicode_cldr=cldr))
        self.assertTrue(readings.is_read("新乡", "Xinxiang"))
        self.assertTrue(readings.is_read("新乡", "Xinxiang Shi"))
        self.assertFalse(readings.is_read("南干道", "Xinxiang"))
        self.assertTrue(readings.is_read("新乡县", "Xinxiang"))
        self.assertTrue(readings.is_read("重庆", "Chongqing"), "another reading than the table's")
        self.assertTrue(readings.is_read("乌鲁木齐", "Ürümqi"), "no pinyin")


if __name__ == "__main__":
    unittest.main()
