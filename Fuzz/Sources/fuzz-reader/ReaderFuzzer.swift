import FuzzSupport

@testable import TrackIngest

/// Any bytes: format, filter and report are the same in pieces and whole, and each position is
/// counted exactly once.
///
/// Bit 5 of the choice includes routes, bit 6 waypoints. With bit 7 the input is repeated until it
/// is longer than the prefix that format detection reads.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzReader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  var bytes = input.body
  if input.choice & 128 != 0, bytes.count > 64 {
    while bytes.count <= ContentKind.prefixLength { bytes += input.body }
  }
  let whole = read(bytes, input, inPieces: false)
  let pieces = read(bytes, input, inPieces: true)
  requireEqual(whole.accepted, pieces.accepted, "whole and in pieces")
  require(whole.report == pieces.report, "reports:\n\(whole.report)\n\(pieces.report)")
  check(whole.report, whole.accepted, byteCount: bytes.count)
  return 0
}

private func read(
  _ bytes: [UInt8], _ input: FuzzInput, inPieces: Bool
) -> (report: TrackReport, accepted: [AcceptedFix]) {
  var extras: Set<ExtraPoints> = []
  if input.choice & 32 != 0 { extras.insert(.routes) }
  if input.choice & 64 != 0 { extras.insert(.waypoints) }
  var reader = TrackReader(including: extras, now: EventRecorder.now)
  var accepted: [AcceptedFix] = []
  if inPieces {
    input.forEachPiece(of: bytes) {
      reader.read($0)
      accepted += reader.takeAccepted()
    }
  } else {
    FuzzInput.withWhole(bytes) { reader.read($0) }
  }
  let report = reader.finish()
  return (report, accepted + reader.takeAccepted())
}

private func check(_ report: TrackReport, _ accepted: [AcceptedFix], byteCount: Int) {
  require(
    report.points == report.kept + report.dropped.total, "points are not kept or dropped: \(report)"
  )
  require(report.kept == accepted.count, "\(report.kept) kept, \(accepted.count) handed over")
  require(report.unknownAccuracy <= report.points && report.undated <= report.points, "\(report)")
  // Points at 0°, 0° and in privacy zones are counted, but do not extend what the report shows.
  require(report.extent == nil || report.points > 0, "an extent of no points: \(report)")
  require(report.extent != nil || report.kept == 0, "no extent of kept fixes: \(report)")
  require(report.points + report.skipped.total <= byteCount, "more positions than bytes")
  if let first = report.firstTime, let last = report.lastTime {
    require(first <= last, "times: \(report)")
  }
  require(report.kept == 0 || accepted[0].startsSegment, "the first fix starts no segment")
  for accepted in accepted {
    checkFix(accepted.fix)
    let coordinate = accepted.fix.coordinate
    require(coordinate.latitudeE7 != 0 || coordinate.longitudeE7 != 0, "0, 0 was kept")
    if let accuracy = accepted.fix.horizontalAccuracyMeters {
      require(accuracy > 0 && accuracy <= 50, "accuracy \(accuracy) was kept")
    }
  }
  for warning in report.warnings { EventRecorder.check(message: warning.message) }
  if let error = report.error { EventRecorder.check(message: error.message) }
}
