@testable import TrackIngest

/// Decodes the input whole and in pieces, and stops the fuzzer if the events or errors differ.
///
/// - Parameter exact: a decoder without a fast path, whose results must be the same.
package func checkPieces<Decoder: TrackDecoder>(
  _ input: FuzzInput, exact: Decoder? = nil, of makeDecoder: () -> Decoder
) {
  let whole = decode(input, with: makeDecoder(), inPieces: false)
  let pieces = decode(input, with: makeDecoder(), inPieces: true)
  requireEqual(whole.events, pieces.events, "whole and in pieces")
  require(
    whole.error == pieces.error, "errors, in pieces: \(whole.error as Any), \(pieces.error as Any)")
  guard let exact else { return }
  let other = decode(input, with: exact, inPieces: false)
  requireEqual(whole.events, other.events, "both paths")
  require(
    whole.error == other.error, "errors of both paths: \(whole.error as Any), \(other.error as Any)"
  )
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
