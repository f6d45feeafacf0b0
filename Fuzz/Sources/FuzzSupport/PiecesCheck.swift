@testable import TrackIngest

/// Decodes the input whole and in pieces, and stops the fuzzer if the events or errors differ.
package func checkPieces<Decoder: TrackDecoder>(
  _ input: FuzzInput, of makeDecoder: () -> Decoder
) {
  let whole = decode(input, with: makeDecoder(), inPieces: false)
  let pieces = decode(input, with: makeDecoder(), inPieces: true)
  requireEqual(whole.events, pieces.events, "whole and in pieces")
  require(
    whole.error == pieces.error, "errors, in pieces: \(whole.error as Any), \(pieces.error as Any)")
}

private func decode(
  _ input: FuzzInput, with decoder: some TrackDecoder, inPieces: Bool
) -> (events: [EventRecorder.Event], error: IngestError?) {
  var recorder = EventRecorder(byteCount: input.body.count)
  var decoder = decoder
  if inPieces {
    input.forEachPiece(of: input.body) { decoder.decode($0, into: &recorder) }
  } else {
    FuzzInput.withWhole(input.body) { decoder.decode($0, into: &recorder) }
  }
  let error = decoder.finish(into: &recorder)
  if let error { EventRecorder.check(message: error.message) }
  return (recorder.events, error)
}
