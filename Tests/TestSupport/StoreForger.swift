/// Creates SQL that puts values into a store that Roqua never writes. The store fuzzer also uses
/// this file.
public enum StoreForger {
  /// A table with its key column and its other columns.
  private typealias Table = (name: String, key: String, columns: [String])

  private static let tables: [Table] = [
    ("settings", "key", ["value"]),
    ("zones", "id", ["name", "latitude_e7", "longitude_e7", "radius", "added_at"]),
    (
      "sources", "id",
      [
        "sha256", "path", "format", "bytes", "points", "kept", "first_time", "last_time", "report",
        "imported_at", "withheld", "highest_m", "lowest_m", "height_steps",
      ]
    ),
    ("kept_fixes", "id", ["source_id", "count", "payload"]),
    (
      "regions", "id",
      [
        "latitude_e7", "longitude_e7", "place_id", "radius", "start_ms", "end_ms", "visit_count",
        "accuracy", "made_by", "changed_by",
      ]
    ),
    ("repeat_visits", "region_id", ["block", "visits"]),
    (
      "places", "id",
      ["quarter", "city", "district", "region", "region_code", "country", "country_code"]
    ),
    ("adopted_times", "region_id", ["created_at", "updated_at"]),
    ("coverage_tiles", "key", ["cells", "bits"]),
    ("source_tiles", "key", ["source_id", "cells", "bits"]),
    ("revision", "only", ["regions", "deletions"]),
    (
      "source_regions", "id",
      [
        "source_id", "latitude", "longitude", "radius", "start_ms", "end_ms", "visit_count",
        "country_code",
        "accuracy", "original",
      ]
    ),
    ("stated_visits", "region_id", ["start_ms", "end_ms", "visit_count"]),
    ("achievements", "id", ["tier", "unlocked_ms", "generation", "given_at"]),
    ("achievement_progress", "id", ["value", "value_before"]),
    (
      "achievement_state", "only", ["generation", "content", "rules", "evaluated_at", "state"]
    ),
    ("erasure", "only", ["since"]),
    ("profile", "only", ["id"]),
    ("sqlite_sequence", "name", ["seq"]),
  ]

  /// Limits of ranges, and numbers next to them.
  private static let numbers = [
    "-9223372036854775808", "-9223372036854775807", "9223372036854775807", "9223372036854775806",
    "4611686018427387904", "4611686018427387905", "549755813888", "549755813889", "-1", "0", "1",
    "2", "64", "4096", "4097", "10000", "10001", "2147483647", "2147483648", "1000000000",
    "1000000001",
    "1099511627776", "1099511627777", "1152921504606846977", "-62167219200000", "-62167219200001",
    "253402300799999", "253402300800000", "-1e308", "1e308", "9e999", "-9e999", "0.5", "-0.0",
    "90.0001", "-91",
    "180.5", "1e17", "5e-324",
  ]

  private static let texts = [
    "''", "'x'", "'5abc'", "'2'", "'9999-12-31T23:59:59Z'", "'0000-01-01T00:00:00Z'",
    "'-0001-12-31T23:59:59Z'", "'10000-01-01T00:00:00Z'", "'1969-12-31T23:59:59.999Z'",
    "'2024-05-01T10:00:00Z'", "'esc' || char(27, 155, 8238, 10, 0)", "'zzzzz'", "'u'",
    "'explorationRadiusMeters'",
    "'visitGapMinutes'", "'trackingDistanceMeters'", "CAST(x'ff80c0' AS TEXT)",
    "'0:1'", "'0:0,1:0'", "'0:999999999999'", "'999999999999:1'", "'0:1,1:1,'", "'0:1,7200:0.5'",
  ]

  private static let reports = [
    "'{}'", "'[]'", "'{'", "'null'", #"'{"cells":9223372036854775807,"forgotten":-1}'"#,
    #"'{"cells":-9223372036854775808,"forgotten":9223372036854775807}'"#,
    #"'{"cells":1e999,"forgotten":"x"}'"#,
    #"'{"dropped":{"tooClose":1},"warnings":["x",1,null,{"code":5}]}'"#,
    #"'{"dropped":{},"warnings":"x"}'"#,
    #"'{"kept":9223372036854775808,"points":-1,"cut":true,"forgotten":9223372036854775807}'"#,
    #"'{"firstTime":5,"lastTime":[],"sha256":{},"path":null,"bytes":"x"}'"#,
    "replace(hex(zeroblob(600)), '00', '[')",
  ]

  private static let blobs = [
    "x''", "x'00'", "x'ff'", "zeroblob(517)", "zeroblob(100000)", "x'010000000000000000ffffffff'",
    // A chunk with one fix at a pole in the year 9999, and one that claims a huge number of fixes.
    "x'0101010100808cf5ad068080b1f70a80e4c5fdaf0f'", "x'0101ffffffffffffffff7f'",
  ]

  /// The extreme integers, where sums and differences overflow.
  private static let extremes = numbers.prefix(6)

  /// Columns of numbers with their tables, including the key columns.
  private static let numberColumns: [(table: Table, column: String)] = {
    let names: Set = [
      "value", "bytes", "points", "kept", "withheld", "source_id", "count", "block", "latitude",
      "longitude",
      "radius",
      "visit_count", "accuracy", "start_ms", "end_ms", "cells", "regions", "seq", "latitude_e7",
      "longitude_e7", "place_id", "made_by", "changed_by",
    ]
    return tables.flatMap { table in
      let keys = ["settings", "sqlite_sequence"].contains(table.name) ? [] : [table.key]
      return (table.columns.filter(names.contains) + keys).map { (table, $0) }
    }
  }()

  /// Returns a statement that changes values, or adds or deletes a row; most statements change a
  /// number.
  ///
  /// - Parameter pick: Returns a number from 0 up to, but not including, its argument.
  public static func statement(_ pick: (Int) -> Int) -> String {
    let kind = pick(16)
    if kind >= 6 {
      let (table, column) = numberColumns[pick(numberColumns.count)]
      let isExtreme = pick(2) == 0
      let number = isExtreme ? extremes[pick(extremes.count)] : numbers[pick(numbers.count)]
      let target = isExtreme && kind > 10 ? "" : row(of: table, pick)
      return "UPDATE OR IGNORE \(table.name) SET \(column) = \(number)\(target)"
    }
    let table = tables[pick(tables.count)]
    let target = pick(4) == 0 ? "" : row(of: table, pick)
    switch kind {
    case 0: return "DELETE FROM \(table.name)\(target)"
    case 1: return "UPDATE OR IGNORE \(table.name) SET \(table.key) = \(value(pick))\(target)"
    case 2:
      let columns = table.columns.joined(separator: ", ")
      return "INSERT OR IGNORE INTO \(table.name) (\(table.key), \(columns)) "
        + "SELECT \(value(pick)), \(columns) FROM \(table.name)\(target)"
    default:
      let column = table.columns[pick(table.columns.count)]
      return "UPDATE OR IGNORE \(table.name) SET \(column) = \(value(pick, of: column))\(target)"
    }
  }

  private static func row(of table: Table, _ pick: (Int) -> Int) -> String {
    " WHERE \(table.key) IN (SELECT \(table.key) FROM \(table.name) LIMIT 1 OFFSET \(pick(12)))"
  }

  private static func value(_ pick: (Int) -> Int, of column: String = "") -> String {
    if column == "report" || column == "original", pick(2) == 0 {
      return reports[pick(reports.count)]
    }
    switch pick(8) {
    case 0: return texts[pick(texts.count)]
    case 1: return blobs[pick(blobs.count)]
    case 2: return "NULL"
    case 3:
      let bytes = (0..<8).map { _ in UInt64(pick(256)) }
      return String(Int64(bitPattern: bytes.reduce(0) { $0 << 8 | $1 }))
    case 4 where !column.isEmpty: return "\(column) + \(numbers[pick(numbers.count)])"
    default: return numbers[pick(numbers.count)]
    }
  }
}
