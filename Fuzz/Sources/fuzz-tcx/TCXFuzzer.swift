import FuzzSupport

@testable import TrackIngest

/// TCX gives the same events in pieces, whole, and on the exact path alone.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTCX(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  let whole = decode(input, inPieces: false, fastPath: true)
  let exact = decode(input, inPieces: false, fastPath: false)
  let pieces = decode(input, inPieces: true, fastPath: true)
  requireEqual(whole.events, exact.events, "both paths")
  requireEqual(whole.events, pieces.events, "whole and in pieces")
  require(
    whole.error == exact.error, "errors of both paths: \(whole.error as Any), \(exact.error as Any)"
  )
  require(
    whole.error == pieces.error, "errors, in pieces: \(whole.error as Any), \(pieces.error as Any)")
  return 0
}

private func decode(
  _ input: FuzzInput, inPieces: Bool, fastPath: Bool
) -> (events: [EventRecorder.Event], error: IngestError?) {
  var recorder = EventRecorder(byteCount: input.body.count)
  var decoder = TCXDecoder(now: EventRecorder.now)
  decoder.usesFastPath = fastPath
  if inPieces {
    input.forEachPiece(of: input.body) { decoder.decode($0, into: &recorder) }
  } else {
    FuzzInput.withWhole(input.body) { decoder.decode($0, into: &recorder) }
  }
  let error = decoder.finish(into: &recorder)
  if let error { EventRecorder.check(message: error.message) }
  return (recorder.events, error)
}
