import CExpat
import Geodesy
import TrackIngest

/// Bytes per call of a reader, as in `roqua import`.
private let pieceBytes = 1 << 18

/// 2026-01-01T00:00:00Z.
private let now = Timestamp(millisecondsSince1970: 1_767_225_600_000)

private func forEachPiece(
  of bytes: [UInt8], _ body: (UnsafeRawBufferPointer, _ isLast: Bool) -> Void
) {
  // Sound: pieces point into the array only while `body` runs, and are within its bounds.
  bytes.withUnsafeBytes { buffer in
    var start = 0
    repeat {
      let end = min(start + pieceBytes, buffer.count)
      body(UnsafeRawBufferPointer(rebasing: buffer[start..<end]), end == buffer.count)
      start = end
    } while start < buffer.count
  }
}

/// Decodes and filters; returns points read and kept.
func readWithRoqua(_ bytes: [UInt8]) -> (points: Int, kept: Int) {
  var reader = TrackReader(now: now)
  var kept = 0
  forEachPiece(of: bytes) { piece, _ in
    reader.read(piece)
    kept += reader.takeAccepted().count
  }
  let report = reader.finish()
  kept += reader.takeAccepted().count
  return (report.points, kept)
}

/// Lets expat find all tags and texts, with handlers that do nothing; returns whether the document
/// is well formed.
func tokenizeWithExpat(_ bytes: [UInt8]) -> Bool {
  guard let parser = XML_ParserCreate(nil) else { return false }
  defer { XML_ParserFree(parser) }
  XML_SetElementHandler(parser, { _, _, _ in }, { _, _ in })
  XML_SetCharacterDataHandler(parser, { _, _, _ in })
  return parse(bytes, with: parser)
}

/// The number of track points that expat finds.
func countWithExpat(in bytes: [UInt8]) -> Int {
  guard let parser = XML_ParserCreate(nil) else { return 0 }
  defer { XML_ParserFree(parser) }
  var count = 0
  // Sound: expat calls the handler only during `parse`, inside the pointer's scope, and `data` is
  // the pointer to an Int that `XML_SetUserData` was given.
  withUnsafeMutablePointer(to: &count) { count in
    XML_SetUserData(parser, count)
    XML_SetStartElementHandler(parser) { data, name, _ in
      guard let data, let name, String(cString: name) == "trkpt" else { return }
      data.assumingMemoryBound(to: Int.self).pointee += 1
    }
    _ = parse(bytes, with: parser)
  }
  return count
}

private func parse(_ bytes: [UInt8], with parser: XML_Parser) -> Bool {
  var isWellFormed = true
  forEachPiece(of: bytes) { piece, isLast in
    // Sound: bytes may be read as C characters, and expat copies what it keeps.
    let start = piece.baseAddress?.assumingMemoryBound(to: CChar.self)
    if XML_Parse(parser, start, Int32(piece.count), isLast ? 1 : 0) != XML_STATUS_OK {
      isWellFormed = false
    }
  }
  return isWellFormed
}

/// The first difference between the points read and those written; nil if there is none.
func firstDifference(_ bytes: [UInt8], from expected: [Written]) -> String? {
  // Keeps all points.
  let filter = FilterSettings(
    maximumAccuracyMeters: .infinity, trackingDistanceMeters: 0,
    maximumSpeedMetersPerSecond: .infinity)
  var reader = TrackReader(filter: filter, now: now)
  bytes.withUnsafeBytes { reader.read($0) }
  let report = reader.finish()
  if let error = report.error { return error.message }
  if let warning = report.warnings.first { return "line \(warning.line ?? 0): \(warning.message)" }
  let fixes = reader.takeAccepted().map(\.fix)
  if fixes.count != expected.count { return "\(fixes.count) points of \(expected.count)" }
  for (index, (fix, written)) in zip(fixes, expected).enumerated() {
    let isAccurate =
      written.hdopTenths.map {
        abs((fix.horizontalAccuracyMeters ?? -1) - Double($0) / 2) < 1e-9
      } ?? true
    if fix.coordinate.latitudeE7 != written.latitudeE7
      || fix.coordinate.longitudeE7 != written.longitudeE7
      || fix.time?.millisecondsSince1970 != written.timeMilliseconds || !isAccurate
    {
      return "point \(index): \(fix) where \(written) was written"
    }
  }
  return nil
}
