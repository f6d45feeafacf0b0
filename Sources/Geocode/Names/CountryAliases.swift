/// Other English names of countries that people type: short and long forms, former names, and the
/// forms that other atlases have.
///
/// The names of the data and those of other languages are not listed: see
/// ``Geocoder/countries(named:)``.
enum CountryAliases {
  /// Alternative names by ISO 3166-1 code.
  static let names: [(code: String, names: [String])] = [
    ("AE", ["UAE", "Emirates"]), ("BA", ["Bosnia", "Bosnia-Herzegovina"]),
    ("BO", ["Plurinational State of Bolivia"]), ("BN", ["Brunei Darussalam"]),
    ("BQ", ["Caribbean Netherlands", "Bonaire"]), ("CC", ["Cocos Islands", "Keeling Islands"]),
    ("CD", ["DR Congo", "DRC", "Democratic Republic of Congo", "Congo-Kinshasa", "Zaire"]),
    ("CF", ["CAR"]), ("CG", ["Congo-Brazzaville", "Congo Republic", "Republic of Congo"]),
    ("CI", ["Côte d'Ivoire"]), ("CN", ["PRC", "People's Republic of China"]),
    ("CV", ["Cape Verde"]), ("CZ", ["Czech Republic"]), ("EH", ["Sahrawi Republic"]),
    ("FK", ["Malvinas"]), ("FM", ["Federated States of Micronesia"]), ("FO", ["Faeroe Islands"]),
    ("GB", ["UK", "Great Britain", "Britain"]), ("GM", ["The Gambia"]),
    ("GS", ["South Georgia"]), ("HK", ["Hongkong", "Hong Kong SAR", "Hong Kong SAR China"]),
    ("IE", ["Republic of Ireland"]),
    ("IR", ["Persia"]), ("KG", ["Kirghizia"]), ("KN", ["Saint Kitts", "St Kitts and Nevis"]),
    ("KP", ["DPRK"]), ("KR", ["Republic of Korea"]), ("LA", ["Lao", "Lao PDR"]),
    ("LC", ["St Lucia"]), ("LK", ["Ceylon"]), ("MF", ["St Martin"]),
    ("MK", ["Macedonia"]), ("MM", ["Burma"]), ("MO", ["Macau", "Macao SAR", "Macao SAR China"]),
    ("MP", ["Northern Marianas"]), ("NL", ["Holland", "The Netherlands"]),
    ("PM", ["St Pierre and Miquelon"]), ("PN", ["Pitcairn"]),
    ("PS", ["Palestine", "State of Palestine"]), ("RE", ["La Réunion"]),
    ("RU", ["Russian Federation"]), ("SH", ["St Helena"]), ("SJ", ["Svalbard"]),
    ("ST", ["São Tomé", "São Tomé e Príncipe"]), ("SX", ["St Maarten"]),
    ("SY", ["Syrian Arab Republic"]),
    ("SZ", ["Swaziland"]), ("TL", ["East Timor"]), ("TR", ["Turkey"]),
    ("TW", ["Republic of China", "Formosa"]), ("TZ", ["United Republic of Tanzania"]),
    ("UM", ["US Minor Outlying Islands"]),
    ("US", ["USA", "United States of America", "America"]),
    ("VA", ["Vatican", "Holy See"]), ("VC", ["St Vincent and the Grenadines", "Saint Vincent"]),
    ("VG", ["BVI"]), ("VI", ["US Virgin Islands", "United States Virgin Islands"]),
    ("VN", ["Viet Nam"]), ("BS", ["The Bahamas"]), ("PH", ["The Philippines"]),
    ("WS", ["Western Samoa"]), ("BY", ["Byelorussia"]), ("MD", ["Moldavia"]),
  ]
}
