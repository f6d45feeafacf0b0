import Geodesy

/// Reads one source of any format: bytes in, fixes that pass every filter and a report out.
///
/// The format is detected from the first bytes, NMEA behind other bytes also further on
/// (``searchLimit``). Bytes may come in pieces of any size, down to one at a time, with the same
/// result; memory does not grow with the source, if ``takeAccepted()`` is called now and then.
public struct TrackReader {
  private enum State {
    /// The format is not known yet: the first bytes, or those after blanks that ``TrackDecoders``
    /// have read.
    case sniffing([UInt8], after: TrackDecoders?)
    /// Nothing but blanks so far, more than are kept.
    case blank(TrackDecoders)
    /// Neither GPX nor NMEA so far: NMEA may still follow.
    case searching(NMEASearch)
    case gpx(GPXDecoder)
    case nmea(NMEALog)
    case refused(IngestError)
  }

  /// Bytes of a source that are searched for NMEA, unless it is to be searched to its end.
  ///
  /// A receiver's binary messages, or the zeros of a preallocated file, may stand in front of a
  /// log. Searching 1 MiB takes about a millisecond, so a folder may hold many large files that
  /// are no tracks.
  public static let searchLimit = 1 << 20

  private var state = State.sniffing([], after: nil)
  private var sink: AcceptingSink
  private let now: Timestamp
  /// Bytes that remain to be searched for NMEA.
  private var searchable: Int

  /// A reader at the start of a source.
  ///
  /// - Parameters:
  ///   - filter: what is asked of a fix.
  ///   - extras: points beside track points that are taken for fixes.
  ///   - searchesToEnd: whether to search all of a source for NMEA, and not ``searchLimit``
  ///     bytes: for one that claims to be a track.
  ///   - now: the present moment; times more than a day later are impossible.
  public init(
    filter: FilterSettings = FilterSettings(), including extras: Set<ExtraPoints> = [],
    searchesToEnd: Bool = false, now: Timestamp
  ) {
    sink = AcceptingSink(settings: filter, including: extras)
    searchable = searchesToEnd ? .max : Self.searchLimit
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
    var rest = bytes
    while !rest.isEmpty {
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(readSome(rest)))
    }
  }

  /// The source has ended: what was found in it. ``takeAccepted()`` then has the last fixes.
  ///
  /// The report's error is nil where the source was read; else nothing of it should be kept.
  public mutating func finish() -> TrackReport {
    switch take() {
    case .sniffing(let head, let decoders): begin(with: head, decoders)
    case let other: state = other
    }
    var error: IngestError?
    switch take() {
    case .sniffing: break
    case .refused(let reason): error = reason
    case .gpx(var decoder): error = decoder.finish(into: &sink)
    case .blank: error = Self.refusal(of: .empty, isNothing: false)
    case .nmea(var log): error = log.finish(into: &sink)
    case .searching(var search): error = search.finish(into: &sink)
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
    var taken = State.sniffing([], after: nil)
    swap(&taken, &state)
    return taken
  }

  // MARK: - Reading

  /// Reads some bytes, at least one; returns how many.
  private mutating func readSome(_ bytes: UnsafeRawBufferPointer) -> Int {
    switch take() {
    case .sniffing(var head, let decoders):
      let piece = bytes.prefix(ContentKind.prefixLength - head.count)
      head.append(contentsOf: piece)
      if head.count < ContentKind.prefixLength {
        state = .sniffing(head, after: decoders)
      } else {
        begin(with: head, decoders)
      }
      return piece.count
    case .blank(let decoders): return skipBlanks(bytes, decoders)
    case .searching(let search): return self.search(bytes, search)
    case .gpx(var decoder):
      decoder.decode(bytes, into: &sink)
      state = .gpx(decoder)
    case .nmea(var log):
      log.decode(bytes, into: &sink)
      state = .nmea(log)
    case .refused(let error): state = .refused(error)
    }
    return bytes.count
  }

  /// Detects the format and reads the first bytes.
  private mutating func begin(with head: [UInt8], _ earlier: TrackDecoders?) {
    var decoders = earlier ?? TrackDecoders(now: now, sink: sink)
    let isFull = head.count == ContentKind.prefixLength
    head.withUnsafeBytes { bytes in
      if isFull, earlier == nil, TrackDecoders.firstContent(of: bytes) == nil {
        _ = skipBlanks(bytes, decoders)
        return
      }
      let kind = ContentKind(prefix: bytes)
      switch kind {
      case .track(.gpx):
        sink = decoders.gpxSink
        sink.outcome.report.format = .gpx
        decoders.gpx.decode(bytes, into: &sink)
        state = .gpx(decoders.gpx)
      case .track(.nmea):
        sink.outcome.report.format = .nmea
        decoders.nmea.decode(bytes, into: &sink)
        state = .nmea(decoders.nmea)
      default:
        let refusal = Self.refusal(of: kind, isNothing: head.isEmpty && earlier == nil)
        if isFull, kind.mayHoldNMEA {
          searchable = max(searchable, bytes.count)
          _ = search(bytes, NMEASearch(log: decoders.nmea, sink: sink, refusal: refusal))
        } else {
          state = .refused(refusal)
        }
      }
    }
  }

  /// Lets blanks in front of the content go by.
  private mutating func skipBlanks(
    _ bytes: UnsafeRawBufferPointer, _ earlier: consuming TrackDecoders
  ) -> Int {
    var decoders = earlier
    let blanks = UnsafeRawBufferPointer(
      rebasing: bytes.prefix(
        min(TrackDecoders.firstContent(of: bytes) ?? bytes.count, searchable)))
    decoders.read(blanks: blanks, into: &sink)
    searchable -= blanks.count
    if searchable == 0 {
      state = .refused(Self.refusal(of: .empty, isNothing: false))
    } else if blanks.count < bytes.count {
      state = .sniffing([], after: decoders)
    } else {
      state = .blank(decoders)
    }
    return blanks.count
  }

  /// Searches bytes for NMEA.
  private mutating func search(
    _ bytes: UnsafeRawBufferPointer, _ begun: consuming NMEASearch
  ) -> Int {
    var search = begun
    let piece = UnsafeRawBufferPointer(rebasing: bytes.prefix(searchable))
    search.log.decode(piece, into: &sink)
    searchable -= piece.count
    if search.log.isRecognised {
      sink.outcome.report.format = .nmea
      state = .nmea(search.log)
    } else if searchable == 0 {
      sink = search.sink
      state = .refused(search.refusal)
    } else {
      state = .searching(search)
    }
    return piece.count
  }

  /// Why a source of a kind that is no track is refused.
  private static func refusal(of kind: ContentKind, isNothing: Bool) -> IngestError {
    switch kind {
    case .empty:
      IngestError(
        code: .empty,
        message: isNothing
          ? "There is nothing in it." : "It holds nothing but blanks or zero bytes.")
    case .gzip:
      IngestError(code: .unknownFormat, message: "It is compressed with gzip once more.")
    case .zip: IngestError(code: .unknownFormat, message: "It is a zip archive.")
    case .foreign(let name):
      IngestError(code: .unknownFormat, message: "It is \(name), not a GPX or NMEA track.")
    case .track, .unknown:
      IngestError(code: .unknownFormat, message: "It is not a GPX or NMEA track.")
    }
  }
}
