import FuzzSupport

@testable import TrackIngest

/// The stream of a receiver gives the same events in pieces and whole, and no fix out of range. The
/// two lowest bits of the choice are the language.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzGPSD(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  let languages: [LiveDecoder.Language] = [.gpsd, .nmea, .gpsd, .gpsd]
  let language = languages[Int(input.choice & 3)]
  let whole = events(input, language, inPieces: false)
  requireEqual(whole, events(input, language, inPieces: true), "whole and in pieces")
  // Which language is first may depend on the pieces, but nothing else may go wrong.
  _ = events(input, .any, inPieces: true)
  for case .fix(let fix) in whole {
    require(abs(fix.coordinate.latitudeDegrees) <= 90, "latitude of \(fix)")
    if let time = fix.time {
      let latest = EventRecorder.now.millisecondsSince1970 + 86_400_000
      require((0...latest).contains(time.millisecondsSince1970), "time of \(fix)")
    }
  }
  return 0
}

private func events(
  _ input: FuzzInput, _ language: LiveDecoder.Language, inPieces: Bool
) -> [ReceiverEvent] {
  var decoder = LiveDecoder(language, now: EventRecorder.now)
  var events: [ReceiverEvent] = []
  if inPieces {
    input.forEachPiece(of: input.body) {
      events += decoder.decode($0, now: EventRecorder.now)
    }
  } else {
    FuzzInput.withWhole(input.body) { events += decoder.decode($0, now: EventRecorder.now) }
  }
  // gpsd's messages and NMEA sentences are read one after the other within a piece.
  return (events + decoder.finish()).filter {
    switch $0 {
    case .fix, .gap: true
    case .noFix: language == .gpsd
    case .program, .devices, .satellites, .error: language == .gpsd
    }
  }
}
