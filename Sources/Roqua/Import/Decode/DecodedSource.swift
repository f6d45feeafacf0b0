import GeoStore
import Geodesy
import GridHash
import TrackIngest

/// What a decoder knows of a source at its end.
struct DecodedSource: Sendable {
  /// The path of the file as given, for a member of an archive joined with its name.
  let path: String
  /// SHA-256 of the bytes; nil if the source could not be read to its end, or was refused.
  var sha256: String?
  /// The number of bytes after decompression.
  var bytes = 0
  /// The contents, or the reason to refuse the source.
  var report = TrackReport()
  /// The cells of a source that has explored pixels and no fixes, without those that privacy zones
  /// keep out; nil for a source of fixes.
  var cells: GridHash.Coverage?
  /// The heights of its kept fixes, those in flight left out.
  var heights = HeightProfile()
  /// The number of cells that privacy zones keep out.
  var withheldCells = 0
  /// Those of the report's warnings that list what an archive left out.
  var leftOut: [IngestWarning] = []
  /// True if the bytes were found in the store before they were decoded.
  var isKnownDuplicate = false

  /// The number of waiting fixes that take as much memory as the cells.
  var weightOfCells: Int { (cells?.memoryBytes ?? 0) / MemoryLayout<KeptFix>.stride }
}
