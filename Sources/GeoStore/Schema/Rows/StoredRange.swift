import Geodesy
import GridHash

/// What the numbers of a store may be. A writer puts nothing else there, so anything else is
/// damage.
///
/// Each range is so narrow that what is computed with its values stays far from the ends of
/// `Int64`.
enum StoredRange {
  /// Numbers of rows: SQLite counts them from 1. Those of eight million rows can be added up.
  static let rowID: ClosedRange<Int64> = 1...1 << 40
  /// A row is numbered after one of at most this number, so that no writer leaves ``rowID``.
  static let lastNumberedRow: Int64 = 1 << 39
  /// Numbers of regions (``RegionID``).
  static let regionID: ClosedRange<Int64> = 0...RegionID.all.upperBound - 1
  /// Accuracy in decimeters. Other accuracies are stored in meters.
  static let accuracyDecimeters: ClosedRange<Int64> = 0...1 << 40
  /// Bytes of a source, which nobody sums: a larger file is in no file system.
  static let byteCount: ClosedRange<Int64> = 0...1 << 60
  /// Points, kept fixes, regions or cells of a source: a trillion. Those of eight million sources
  /// can be added up, and each source has a row of more than a hundred bytes.
  static let sourceCount: ClosedRange<Int64> = 0...1 << 40
  /// Fixes of a chunk.
  static let chunkFixes: ClosedRange<Int64> = 1...4_096
  /// Cells of a tile.
  static let tileCells: ClosedRange<Int64> = 1...Int64(Tile.cellCount)
  /// Radius of a region in meters: the exploration radius, or what a source brought.
  static let radiusMeters: ClosedRange<Int64> = 1...10_000
  /// Visits that a source states of a region. Half of ``regionVisits``, so that known visits can be
  /// added.
  static let statedVisits: ClosedRange<Int64> = 1...1_000_000_000
  /// Visits of a region. Four billion regions can be added up, whose rows fill 200 GB.
  static let regionVisits: ClosedRange<Int64> = 1...Int64(Int32.max)
  /// The number of the regions' state: it begins with 0, or with the time in milliseconds.
  static let revision: ClosedRange<Int64> = 0...1 << 62
}
