import Geodesy

/// Reads one source of any format: takes its bytes, and returns filtered fixes and a report.
///
/// The format is detected from the first bytes; NMEA is also found after up to 1 MiB of other
/// bytes. Bytes may come in pieces of any size, down to one at a time, with the same result. Memory
/// does not grow with the source if ``takeAccepted()`` is called after each piece.
///
/// ```swift
/// var reader = TrackReader(now: now)
/// bytes.withUnsafeBytes { reader.read($0) }
/// let report = reader.finish()
/// let fixes = reader.takeAccepted().map(\.fix)
/// print("\(fixes.count) of \(report.points) points kept")
/// ```
public struct TrackReader {
  private enum State {
    /// The format is not known yet. Holds the first bytes, or those after blanks that
    /// ``TrackDecoders`` have read.
    case sniffing([UInt8], after: TrackDecoders?)
    /// Only blanks so far, more than are kept.
    case blank(TrackDecoders)
    /// Of no supported format so far: NMEA may still follow.
    case searching(NMEASearch)
    case decoding(any FilteredDecoder)
    case refused(IngestError)
  }

  /// The number of bytes of a source that are searched for NMEA, unless all of it is searched.
  ///
  /// A log may follow a receiver's binary messages or the zeros of a preallocated file. Searching 1
  /// MiB takes about a millisecond, so a folder may contain many large other files.
  package static let searchLimit = 1 << 20

  private var state = State.sniffing([], after: nil)
  private var sink: AcceptingSink
  private let now: Timestamp
  /// The columns of tables that the user states.
  private let columns: TableColumns?
  private let path: String
  /// The number of bytes that remain to be searched for NMEA.
  private var searchable: Int
  /// The number of blanks before the content.
  private var blankBytes = 0
  /// The bytes by which the format was detected, or by which the source was refused; nil if it is
  /// not explained, or if no bytes showed it.
  package private(set) var evidence: ContentEvidence?

  /// Creates a reader at the start of a source.
  ///
  /// - Parameters:
  ///   - filter: the limits for fixes.
  ///   - extras: points other than track points that are read as fixes.
  ///   - searchesToEnd: true to search the whole source for NMEA, not only 1 MiB.
  ///     Use it for a source that claims to be a track.
  ///   - columns: the columns of tables whose names do not say what they are. Text of no other
  ///     known format is then read as a table.
  ///   - path: the path of the source, or its name. Only Fog of World's tiles need it: their bytes
  ///     do not say where they lie.
  ///   - now: the current time; times more than a day later are impossible and ignored.
  public init(
    filter: FilterSettings = FilterSettings(), including extras: Set<ExtraPoints> = [],
    searchesToEnd: Bool = false, columns: TableColumns? = nil, path: String = "", now: Timestamp
  ) {
    self.columns = columns
    sink = AcceptingSink(settings: filter, including: extras)
    searchable = searchesToEnd ? .max : Self.searchLimit
    self.path = path
    self.now = now
  }

  /// Explains the source, which has not been read yet: ``evidence``, and the positions left out.
  ///
  /// - Parameter isWhole: true to collect each position for ``takeLeftOut()``, and not only the
  ///   summary.
  package mutating func explain(isWhole: Bool) {
    sink.outcome.trace = PositionTrace(isWhole: isWhole)
  }

  /// The positions left out so far; empty if the source is not explained.
  package var leftOut: LeftOutSummary { sink.outcome.trace?.summary ?? LeftOutSummary() }

  /// Returns the positions left out since the last call. None while the source is searched for
  /// NMEA, because the search may find nothing.
  package mutating func takeLeftOut() -> [LeftOutPosition] {
    if case .searching = state { return [] }
    return sink.outcome.trace?.take() ?? []
  }

  /// True if the source is not a track, so that the rest need not be read.
  public var isRefused: Bool {
    if case .refused = state { true } else { false }
  }

  /// The number of track points with a valid position so far.
  package var pointCount: Int { sink.outcome.report.points }

  /// Reads the next bytes of the source. They are only used during the call.
  ///
  /// - Complexity: O(bytes).
  public mutating func read(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes
    while !rest.isEmpty {
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(readSome(rest)))
    }
  }

  /// Ends the source and returns its report. ``takeAccepted()`` then returns the last fixes.
  ///
  /// If the report has an error, all fixes of the source should be discarded.
  public mutating func finish() -> TrackReport {
    switch take() {
    case .sniffing(let head, let decoders): begin(with: head, decoders)
    case let other: state = other
    }
    var error: IngestError?
    switch take() {
    case .sniffing: break
    case .refused(let reason): error = reason
    case .decoding(var decoder): error = decoder.finish(into: &sink)
    case .blank: error = Self.refusal(of: .empty, isNothing: false)
    case .searching(var search): error = search.finish(into: &sink)
    }
    sink.finish()
    sink.outcome.report.error = error
    return sink.outcome.report
  }

  /// Returns the fixes accepted since the last call, in the order of the source.
  public mutating func takeAccepted() -> [AcceptedFix] {
    var accepted: [AcceptedFix] = []
    swap(&accepted, &sink.outcome.accepted)
    return accepted
  }

  /// Returns the blocks of explored pixels since the last call, in the order of the source.
  package mutating func takeExplored() -> [PixelBlock] {
    var explored: [PixelBlock] = []
    swap(&explored, &sink.outcome.explored)
    return explored
  }

  /// Moves the state out, so that a decoder in it can be changed in place.
  private mutating func take() -> State {
    var taken = State.sniffing([], after: nil)
    swap(&taken, &state)
    return taken
  }

  // MARK: - Reading

  /// Reads some bytes, at least one. Returns how many.
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
    case .decoding(var decoder):
      decoder.decode(bytes, into: &sink)
      state = .decoding(decoder)
    case .refused(let error): state = .refused(error)
    }
    return bytes.count
  }

  /// Detects the format and reads the first bytes.
  private mutating func begin(with head: [UInt8], _ earlier: TrackDecoders?) {
    let decoders = earlier ?? TrackDecoders(now: now, sink: sink)
    let isFull = head.count == ContentKind.prefixLength
    head.withUnsafeBytes { bytes in
      if isFull, earlier == nil, TrackDecoders.firstContent(of: bytes) == nil {
        _ = skipBlanks(bytes, decoders)
        return
      }
      var kind = ContentKind(prefix: bytes, path: path)
      if columns != nil, kind == .unknown, !bytes.contains(0) { kind = .track(.csv) }
      if sink.outcome.trace != nil {
        evidence = ContentEvidence(prefix: bytes, path: path)?.after(blankBytes)
      }
      switch kind {
      case .track(let format):
        if format.isXML { sink = decoders.gpxSink }
        sink.outcome.report.format = format
        sink.outcome.trace?.linesAreBytes = format == .fit
        var decoder = decoders.decoder(of: format, columns: columns, path: path, now: now)
        decoder.decode(bytes, into: &sink)
        state = .decoding(decoder)
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

  /// Skips blanks before the content. Returns how many.
  private mutating func skipBlanks(
    _ bytes: UnsafeRawBufferPointer, _ earlier: consuming TrackDecoders
  ) -> Int {
    var decoders = earlier
    let blanks = UnsafeRawBufferPointer(
      rebasing: bytes.prefix(
        min(TrackDecoders.firstContent(of: bytes) ?? bytes.count, searchable)))
    decoders.read(blanks: blanks, into: &sink)
    searchable -= blanks.count
    blankBytes += blanks.count
    if searchable == 0 {
      state = .refused(Self.refusal(of: .empty, isNothing: false))
    } else if blanks.count < bytes.count {
      state = .sniffing([], after: decoders)
    } else {
      state = .blank(decoders)
    }
    return blanks.count
  }

  /// Searches bytes for NMEA. Returns how many were searched.
  private mutating func search(
    _ bytes: UnsafeRawBufferPointer, _ begun: consuming NMEASearch
  ) -> Int {
    var search = begun
    let piece = UnsafeRawBufferPointer(rebasing: bytes.prefix(searchable))
    search.log.decode(piece, into: &sink)
    searchable -= piece.count
    if search.log.isRecognized {
      if sink.outcome.trace != nil {
        evidence = ContentEvidence("a sentence after other bytes", byte: nil)
      }
      sink.outcome.report.format = .nmea
      state = .decoding(search.log)
    } else if searchable == 0 {
      sink = search.sink
      state = .refused(search.refusal)
    } else {
      state = .searching(search)
    }
    return piece.count
  }

  /// The reason to refuse a source of another kind.
  private static func refusal(of kind: ContentKind, isNothing: Bool) -> IngestError {
    switch kind {
    case .empty:
      IngestError(
        code: .empty,
        message: isNothing
          ? "It is empty." : "It contains only white space or zero bytes.")
    case .gzip:
      IngestError(code: .unknownFormat, message: "It is compressed with gzip twice.")
    case .zip: IngestError(code: .unknownFormat, message: "It is a zip archive; unpack it first.")
    case .unsupported(let kind): IngestError(unsupported: kind)
    case .googleSettings:
      IngestError(
        code: .unknownFormat,
        message:
          "It is a part of a Google Takeout without history: Google keeps the history on the "
          + "phone, so export it there, in the settings of location services under Timeline.",
        isAdvice: true)
    case .foreign(let name) where kind.isUnreadArchive:
      IngestError(code: .unknownFormat, message: "It is \(name); unpack it first.")
    case .foreign(let name):
      IngestError(
        code: .unknownFormat, message: "It is \(name), not a track in a supported format.",
        isUncertain: kind.isUncertain)
    case .track, .unknown:
      IngestError(
        code: .unknownFormat, message: "It is not a track in a supported format.",
        isUncertain: true)
    }
  }
}
