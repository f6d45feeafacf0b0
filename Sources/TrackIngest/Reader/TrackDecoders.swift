import ByteStreams
import Geodesy

/// A decoder of NMEA that also reads UTF-16 and UTF-32, as Windows writes text.
struct NMEALog: FilteredDecoder {
  private var decoder: NMEADecoder
  private var text = EncodedTextReader()

  init(now: Timestamp) { decoder = NMEADecoder(now: now) }

  /// True if a sentence showed that this is NMEA.
  var isRecognized: Bool { decoder.isRecognized }

  /// Decodes the next bytes.
  mutating func decode(_ bytes: UnsafeRawBufferPointer, into sink: inout AcceptingSink) {
    // Any memory may be read as bytes; the buffer does not outlive the closure.
    bytes.withMemoryRebound(to: UInt8.self) { buffer in
      text.read(buffer) { Self.decode($1, with: &decoder, into: &sink) }
    }
  }

  /// Ends the log.
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

/// A search for NMEA in a source that begins with other bytes.
struct NMEASearch {
  var log: NMEALog
  /// The sink as it was before the search.
  let sink: AcceptingSink
  /// The reason to refuse the source if the search finds nothing.
  let refusal: IngestError

  /// Ends the source; if the search found nothing, its results are discarded.
  mutating func finish(into sink: inout AcceptingSink) -> IngestError? {
    let error = log.finish(into: &sink)
    guard log.isRecognized else {
      sink = self.sink
      return refusal
    }
    sink.outcome.report.format = .nmea
    return error
  }
}

/// The decoders of all formats, for a source that begins with more blanks than are kept in memory:
/// they count its lines.
struct TrackDecoders {
  /// It reads the blanks for all XML formats.
  var gpx: GPXDecoder
  /// The sink of the GPX decoder, which warns of zero bytes.
  var gpxSink: AcceptingSink
  var nmea: NMEALog

  init(now: Timestamp, sink: AcceptingSink) {
    gpx = GPXDecoder(now: now)
    gpxSink = sink
    nmea = NMEALog(now: now)
  }

  /// Reads blanks before the content, which have no meaning in NMEA.
  mutating func read(blanks: UnsafeRawBufferPointer, into sink: inout AcceptingSink) {
    gpx.decode(blanks, into: &gpxSink)
    nmea.decode(blanks, into: &sink)
  }

  /// The decoder of a format, which has read the blanks if its text may begin with them.
  func decoder(
    of format: SourceFormat, columns: TableColumns?, path: String, now: Timestamp
  ) -> any FilteredDecoder {
    switch format {
    case .gpx: gpx
    case .nmea: nmea
    case .tcx: TCXDecoder(now: now, after: gpx)
    case .kml: KMLDecoder(now: now, after: gpx)
    case .fit: FITDecoder(now: now)
    case .igc: IGCDecoder(now: now)
    case .csv: CSVDecoder(now: now, columns: columns)
    case .googleTimeline: GoogleTimelineDecoder(now: now)
    case .owntracks: OwnTracksDecoder(now: now)
    case .geojson: GeoJSONTrackDecoder(now: now)
    case .polarsteps: PolarstepsDecoder(now: now)
    case .gpsd: GPSDLogDecoder(now: now)
    case .fogOfWorld: FogOfWorldDecoder(path: path)
    }
  }

  /// The index of the first byte that is not blank. Blanks are white space, and the zero bytes and
  /// other controls that a crash leaves before a file.
  static func firstContent(of bytes: UnsafeRawBufferPointer) -> Int? {
    bytes.firstIndex { $0 > 0x20 }
  }
}
