import ByteStreams
import Geodesy

/// A decoder of NMEA, and what turns the text of Windows (UTF-16) into the ASCII that it reads.
struct NMEALog {
  private var decoder: NMEADecoder
  private var text = EncodedTextReader()

  init(now: Timestamp) { decoder = NMEADecoder(now: now) }

  /// Whether a sentence has shown that this is NMEA.
  var isRecognised: Bool { decoder.isRecognised }

  /// Takes the next bytes.
  mutating func decode(_ bytes: UnsafeRawBufferPointer, into sink: inout AcceptingSink) {
    bytes.withMemoryRebound(to: UInt8.self) { buffer in
      text.read(buffer) { Self.decode($1, with: &decoder, into: &sink) }
    }
  }

  /// The log has ended.
  mutating func finish(into sink: inout AcceptingSink) -> IngestError? {
    text.finish { Self.decode($1, with: &decoder, into: &sink) }
    return decoder.finish(into: &sink)
  }

  private static func decode(
    _ text: UnsafeBufferPointer<UInt8>, with decoder: inout NMEADecoder,
    into sink: inout AcceptingSink
  ) -> Int {
    decoder.decode(UnsafeRawBufferPointer(text), into: &sink)
    return text.count
  }
}

/// A search for NMEA in what began as something else.
struct NMEASearch {
  var log: NMEALog
  /// The sink as it was before the search.
  let sink: AcceptingSink
  /// Why the source is refused where the search finds nothing.
  let refusal: IngestError

  /// The source has ended; where the search found nothing, nothing of it counts.
  mutating func finish(into sink: inout AcceptingSink) -> IngestError? {
    let error = log.finish(into: &sink)
    guard log.isRecognised else {
      sink = self.sink
      return refusal
    }
    sink.outcome.report.format = .nmea
    return error
  }
}

/// The decoders of all formats, for a source that begins with more blanks than are kept in
/// memory: they count its lines.
struct TrackDecoders {
  var gpx: GPXDecoder
  /// What GPX finds: zero bytes in front of it are odd.
  var gpxSink: AcceptingSink
  var nmea: NMEALog

  init(now: Timestamp, sink: AcceptingSink) {
    gpx = GPXDecoder(now: now)
    gpxSink = sink
    nmea = NMEALog(now: now)
  }

  /// Takes blanks in front of the content. NMEA finds nothing in them.
  mutating func read(blanks: UnsafeRawBufferPointer, into sink: inout AcceptingSink) {
    gpx.decode(blanks, into: &gpxSink)
    nmea.decode(blanks, into: &sink)
  }

  /// Where the first byte is that is no blank: white space, and what a crash leaves in front of a
  /// file, zero bytes and other controls.
  static func firstContent(of bytes: UnsafeRawBufferPointer) -> Int? {
    bytes.firstIndex { $0 > 0x20 }
  }
}
