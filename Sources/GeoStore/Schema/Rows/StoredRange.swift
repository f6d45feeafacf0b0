import Geodesy
import GridHash

/// The valid ranges of a store's numbers. No writer produces values outside them, so other values
/// are damage.
///
/// Each range is narrow enough that results computed from its values stay far from the limits of
/// `Int64`.
enum StoredRange {
  /// Row numbers, which SQLite counts from 1. Those of eight million rows can be added without
  /// overflow.
  static let rowID: ClosedRange<Int64> = 1...1 << 40
  /// Rows are numbered only after a row of at most this number, so that no writer exceeds
  /// ``rowID``.
  static let lastNumberedRow: Int64 = 1 << 39
  /// Region numbers (``RegionID``).
  static let regionID: ClosedRange<Int64> = 0...RegionID.all.upperBound - 1
  /// Accuracy in decimeters. Other accuracies are stored in meters.
  static let accuracyDecimeters: ClosedRange<Int64> = 0...1 << 40
  /// Size of a source in bytes. Sizes are not added up, and no file system holds a larger file.
  static let byteCount: ClosedRange<Int64> = 0...1 << 60
  /// Numbers of points, kept fixes, regions or cells of a source: up to a trillion. Those of eight
  /// million sources can be added without overflow, and each source has a row of more than a
  /// hundred bytes.
  static let sourceCount: ClosedRange<Int64> = 0...1 << 40
  /// Number of evaluations of the achievements.
  static let generation: ClosedRange<Int64> = 0...1 << 40
  /// Number of fixes in a chunk.
  static let chunkFixes: ClosedRange<Int64> = 1...4_096
  /// Number of cells in a tile.
  static let tileCells: ClosedRange<Int64> = 1...Int64(Tile.cellCount)
  /// Radius of a region in meters: the exploration radius, or the radius that came with a source.
  static let radiusMeters: ClosedRange<Int64> = 1...10_000
  /// Number of visits that a source states for a region: half of ``regionVisits``, so that known
  /// visits can be added.
  static let statedVisits: ClosedRange<Int64> = 1...1_000_000_000
  /// Number of visits of a region. Those of four billion regions, whose rows fill 200 GB, can be
  /// added without overflow.
  static let regionVisits: ClosedRange<Int64> = 1...Int64(Int32.max)
  /// The revision of the regions, which starts at 0 or at the time in milliseconds.
  static let revision: ClosedRange<Int64> = 0...1 << 62
}
