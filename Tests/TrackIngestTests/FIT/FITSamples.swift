import Geodesy

@testable import TrackIngest

/// Decodes FIT files at the time of the tests.
enum FITSamples {
  /// The FIT time of 2024-05-01T10:00:00Z.
  static let start = 1_714_557_600 - 631_065_600

  static func decode(_ bytes: [UInt8], pieces: [Int] = [.max]) -> TrackRecorder {
    TrackRecorder(bytes, with: FITDecoder(now: readingTime), pieces: pieces)
  }

  /// A writer with the definition of records that have a time and a position.
  static func writer(isBigEndian: Bool = false) -> FITWriter {
    var writer = FITWriter()
    writer.define(0, global: 20, [.timestamp, .latitude, .longitude], isBigEndian: isBigEndian)
    return writer
  }

  /// Semicircles of degrees.
  static func semicircles(_ degrees: Double) -> Int { Int(degrees / 180 * 2_147_483_648) }

  /// An activity of a number of records, a second and some meters apart.
  static func activity(_ count: Int = 10) -> FITWriter {
    var writer = FITWriter()
    writer.fileType(4)
    writer.define(0, global: 20, [.timestamp, .latitude, .longitude])
    writer.timer(0)
    for index in 0..<count { writer.message(0, record(index)) }
    writer.timer(4)
    return writer
  }

  /// The values of a record.
  static func record(_ index: Int) -> [Int] {
    [start + index, semicircles(48) + 1_000 * index, semicircles(11.5) - 1_000 * index]
  }
}
