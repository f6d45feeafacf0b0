import Geodesy
import GridHash
import SQLiteLayer

/// The row of a source as devices that share a history exchange it: everything but its number, and
/// what is counted from its data.
package struct SourceRecord: Hashable, Sendable {
  /// SHA-256 of its bytes, 64 lowercase hexadecimal digits.
  package var sha256: String
  /// Whether data is missing from it: 0 to 3, as in the column `sources.withheld`. It only grows.
  package var withheld: Int64
  /// The other columns, in the order of ``columnNames``.
  package var columns: [DatabaseValue]

  /// The names of ``columns``.
  package static let columnNames = [
    "path", "format", "bytes", "points", "first_time", "last_time", "report", "imported_at",
    "forgotten", "is_cut", "stays_at_end", "highest_m", "lowest_m", "height_steps",
  ]

  /// The names, for SQL.
  static let columnList = columnNames.joined(separator: ", ")

  /// Creates a row.
  package init(sha256: String, withheld: Int64, columns: [DatabaseValue]) {
    (self.sha256, self.withheld, self.columns) = (sha256, withheld, columns)
  }

  /// The number of its points, kept or not.
  var points: Int { Int(integer("points")) }

  /// The number of fixes, regions and cells that were deleted from it.
  package var forgotten: Int64 { integer("forgotten") }

  /// When it was imported; nil if the column has no time.
  package var importedAt: Timestamp? {
    guard case .text(let text) = value("imported_at") else { return nil }
    return Timestamp(iso8601: text)
  }

  /// The number in a column of ``columns``; 0 if there is none.
  private func integer(_ column: String) -> Int64 {
    guard case .integer(let number) = value(column) else { return 0 }
    return number
  }

  /// The value in a column of ``columns``; nil if there is none.
  private func value(_ column: String) -> DatabaseValue? {
    guard let index = Self.columnNames.firstIndex(of: column), index < columns.count else {
      return nil
    }
    return columns[index]
  }
}

/// A privacy zone as devices that share a history exchange it.
package struct ZoneRecord: Hashable, Sendable {
  /// A random identifier, the same on all devices: 32 lowercase hexadecimal digits.
  package var uid: String
  /// Its name; nil if it has none.
  package var name: String?
  /// The center, in 1e-7 degree.
  package var latitudeE7, longitudeE7: Int32
  /// The radius, in meters.
  package var radiusMeters: Double
  /// When it was added, as text.
  package var addedAt: String

  /// Creates a zone.
  package init(
    uid: String, name: String?, latitudeE7: Int32, longitudeE7: Int32, radiusMeters: Double,
    addedAt: String
  ) {
    (self.uid, self.name, self.addedAt) = (uid, name, addedAt)
    (self.latitudeE7, self.longitudeE7) = (latitudeE7, longitudeE7)
    self.radiusMeters = radiusMeters
  }
}

/// A setting as devices that share a history exchange it.
package struct SettingRecord: Hashable, Sendable {
  /// Its value.
  package var value: Double
  /// When it was set, in milliseconds since 1970.
  package var changed: Int64

  /// Creates a setting.
  package init(value: Double, changed: Int64) { (self.value, self.changed) = (value, changed) }
}

/// What came with a source that has no fixes.
package struct BroughtData: Hashable, Sendable {
  /// A tile of cells, as stored.
  package struct Tile: Hashable, Sendable {
    /// Its key.
    package var key: Int64
    /// The number of its cells.
    package var cells: Int
    /// Its cells, packed.
    package var bits: [UInt8]

    /// Creates a tile.
    package init(key: Int64, cells: Int, bits: [UInt8]) {
      (self.key, self.cells, self.bits) = (key, cells, bits)
    }
  }

  /// Its cells, keys ascending.
  package var tiles: [Tile] = []
  /// Its regions: the columns of `source_regions` other than the numbers.
  package var regions: [[DatabaseValue]] = []

  /// The names of the columns of a region.
  package static let regionColumnNames = [
    "latitude", "longitude", "radius", "start_ms", "end_ms", "visit_count", "city", "district",
    "country", "country_code", "accuracy", "created_at", "updated_at", "original",
  ]
  /// Their number.
  package static let regionColumnCount = regionColumnNames.count

  /// Nothing.
  package init() {}

  /// Whether there is nothing.
  package var isEmpty: Bool { tiles.isEmpty && regions.isEmpty }
}

extension BroughtData {
  /// Returns the cells that two packed tiles have in common.
  ///
  /// - Throws: `CoverageFormatError` for bytes that are no tile.
  package static func cells(
    inBoth left: [UInt8], _ right: [UInt8]
  ) throws(CoverageFormatError) -> (cells: Int, bits: [UInt8]) {
    let (left, right) = (try GridHash.Tile(serialized: left), try GridHash.Tile(serialized: right))
    let both = left.subtracting(left.subtracting(right))
    return (both.count, both.isEmpty ? [] : both.serialized())
  }
}
