import Geodesy

/// Reads one source of any format: bytes in, fixes that pass every filter and a report out.
///
/// The format is told from the first bytes. Bytes may come in pieces of any size, down to one at a time, with the
/// same result; memory does not grow with the source, if ``takeAccepted()`` is called now and then.
public struct TrackReader {
  private enum State {
    /// The format is not known yet: the first bytes.
    case sniffing([UInt8])
    case gpx(GPXDecoder)
    /// NMEA is ASCII; what Windows wrote as UTF-16 is made so.
    case nmea(NMEADecoder, EncodedTextReader)
    case refused(IngestError)
  }

  private var state = State.sniffing([])
  private var sink: AcceptingSink
  private let now: Timestamp

  /// A reader at the start of a source.
  ///
  /// - Parameters:
  ///   - filter: what is asked of a fix.
  ///   - extras: points beside track points that are taken for fixes.
  ///   - now: the present moment; times more than a day later are impossible.
  public init(
    filter: FilterSettings = FilterSettings(), including extras: Set<ExtraPoints> = [], now: Timestamp
  ) {
    sink = AcceptingSink(settings: filter, including: extras)
    self.now = now
  }

  /// Whether the source is no track, so that the rest of it need not be read.
  public var isRefused: Bool {
    if case .refused = state { true } else { false }
  }

  /// Track points with a valid position so far.
  public var pointCount: Int { sink.outcome.report.points }

  /// Takes the next bytes of the source. They are only used during the call.
  public mutating func read(_ bytes: UnsafeRawBufferPointer) {
    guard case .sniffing(var head) = state else {
      decode(bytes)
      return
    }
    state = .sniffing([])  // or the first bytes would be copied at each piece
    let missing = ContentKind.prefixLength - head.count
    head.append(contentsOf: bytes.prefix(missing))
    guard head.count == ContentKind.prefixLength else {
      state = .sniffing(head)
      return
    }
    begin(with: head)
    decode(UnsafeRawBufferPointer(rebasing: bytes.dropFirst(missing)))
  }

  /// The source has ended: what was found in it. ``takeAccepted()`` then has the last fixes.
  ///
  /// The report's error is nil where the source was read; else nothing of it should be kept.
  public mutating func finish() -> TrackReport {
    if case .sniffing(let head) = state { begin(with: head) }
    var error: IngestError?
    switch take() {
    case .sniffing: break
    case .refused(let reason): error = reason
    case .gpx(var decoder): error = decoder.finish(into: &sink)
    case .nmea(var decoder, var text):
      text.finish { Self.decode($1, with: &decoder, into: &sink) }
      error = decoder.finish(into: &sink)
    }
    sink.finish()
    sink.outcome.report.error = error
    return sink.outcome.report
  }

  /// The fixes that were accepted since the last call, in the order of the source.
  public mutating func takeAccepted() -> [AcceptedFix] {
    var accepted: [AcceptedFix] = []
    swap(&accepted, &sink.outcome.accepted)
    return accepted
  }

  /// Takes the state out, so that a decoder in it can be changed in place and put back.
  private mutating func take() -> State {
    var taken = State.sniffing([])
    swap(&taken, &state)
    return taken
  }

  /// Tells the format and reads the first bytes.
  private mutating func begin(with head: [UInt8]) {
    head.withUnsafeBytes { bytes in
      switch ContentKind(prefix: bytes) {
      case .track(let format):
        sink.outcome.report.format = format
        switch format {
        case .gpx: state = .gpx(GPXDecoder(now: now))
        case .nmea: state = .nmea(NMEADecoder(now: now), EncodedTextReader())
        }
        decode(bytes)
      case .empty:
        let isNothing = head.isEmpty
        refuse(.empty, isNothing ? "There is nothing in it." : "It holds nothing but blanks or zero bytes.")
      case .gzip: refuse(.unknownFormat, "It is compressed with gzip once more.")
      case .zip: refuse(.unknownFormat, "It is a zip archive.")
      case .foreign(let name): refuse(.unknownFormat, "It is \(name), not a GPX or NMEA track.")
      case .unknown: refuse(.unknownFormat, "It is not a GPX or NMEA track.")
      }
    }
  }

  private mutating func refuse(_ code: IngestError.Code, _ message: String) {
    state = .refused(IngestError(code: code, message: message))
  }

  private mutating func decode(_ bytes: UnsafeRawBufferPointer) {
    switch take() {
    case .gpx(var decoder):
      decoder.decode(bytes, into: &sink)
      state = .gpx(decoder)
    case .nmea(var decoder, var text):
      bytes.withMemoryRebound(to: UInt8.self) { buffer in
        text.read(buffer) { Self.decode($1, with: &decoder, into: &sink) }
      }
      state = .nmea(decoder, text)
    case let other: state = other
    }
  }

  private static func decode(
    _ text: UnsafeBufferPointer<UInt8>, with decoder: inout NMEADecoder, into sink: inout AcceptingSink
  ) -> Int {
    decoder.decode(UnsafeRawBufferPointer(text), into: &sink)
    return text.count
  }
}
