import FuzzSupport

@testable import TrackIngest

/// IGC gives the same events in pieces and whole.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzIGC(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  let whole = decode(input, inPieces: false)
  let pieces = decode(input, inPieces: true)
  requireEqual(whole.events, pieces.events, "whole and in pieces")
  require(
    whole.error == pieces.error, "errors, in pieces: \(whole.error as Any), \(pieces.error as Any)")
  return 0
}

private func decode(
  _ input: FuzzInput, inPieces: Bool
) -> (events: [EventRecorder.Event], error: IngestError?) {
  var recorder = EventRecorder(byteCount: input.body.count)
  var decoder = IGCDecoder(now: EventRecorder.now)
  if inPieces {
    input.forEachPiece(of: input.body) { decoder.decode($0, into: &recorder) }
  } else {
    FuzzInput.withWhole(input.body) { decoder.decode($0, into: &recorder) }
  }
  let error = decoder.finish(into: &recorder)
  if let error { EventRecorder.check(message: error.message) }
  return (recorder.events, error)
}
