import ByteStreams
import TrackIngest

/// Follows a ``FileDecoder`` and passes on an explanation of what it does. Not `Sendable`: only the
/// thread that decodes calls it.
final class SourceExplainer {
  /// True to pass on every position that is not kept, and not only the first of each reason.
  let isWhole: Bool
  private let pass: (ImportExplanation) -> Void
  private var source = SourceExplanation(path: "")
  private var head: [UInt8] = []

  init(isWhole: Bool, to pass: @escaping (ImportExplanation) -> Void) {
    self.isWhole = isWhole
    self.pass = pass
  }

  /// An archive begins.
  func open(archive path: String, format: String, evidence: ContentEvidence?) {
    pass(.archive(path: path, format: format, evidence: evidence))
  }

  /// An archive ends.
  func close(archive path: String, warnings: [IngestWarning]) {
    if !warnings.isEmpty { pass(.archiveEnd(path: path, warnings: warnings)) }
  }

  /// A source begins. Returns its bytes, which are looked at as they pass.
  func begin(_ source: FileDecoder.SourceBytes) -> FileDecoder.SourceBytes {
    self.source = SourceExplanation(path: source.path)
    head = []
    return FileDecoder.SourceBytes(
      path: source.path, isClaimedTrack: source.isClaimedTrack, isFile: source.isFile,
      expectedBytes: source.expectedBytes, budget: source.budget
    ) { sink in
      source.read { piece in
        if self.head.count < 2 { self.head.append(contentsOf: piece.prefix(2 - self.head.count)) }
        return sink(piece)
      }
    }
  }

  /// The reader of the source has been made.
  func prepare(_ reader: inout TrackReader) { reader.explain(isWhole: isWhole) }

  /// The reader has read some bytes.
  func follow(_ reader: inout TrackReader) {
    guard isWhole else { return }
    for position in reader.takeLeftOut() { pass(.leftOut(path: source.path, position)) }
  }

  /// The reader has finished.
  func finish(_ reader: inout TrackReader) {
    follow(&reader)
    source.evidence = reader.evidence
    source.leftOut = reader.leftOut
  }

  /// The source is known.
  func note(_ decoded: DecodedSource) {
    source.bytes = decoded.bytes
    source.track = decoded.report
    source.cells = decoded.cells?.count ?? 0
    source.withheldCells = decoded.withheldCells
  }

  /// The source ends.
  func end(_ fate: FileDecoder.Fate) {
    source.compression = head.withUnsafeBytes {
      ContentKind(prefix: $0) == .gzip
        ? ContentEvidence(prefix: $0) : nil
    }
    source.reason = source.track.error?.message
    switch fate {
    case .reported: source.outcome = source.track.error == nil ? .read : .refused
    case .noTrack(let reason):
      source.outcome = .ignored
      source.reason = source.reason ?? reason?.message
      source.reason = source.reason ?? "It has no positions."
    case .unsupported(let kind):
      source.outcome = .unsupported
      source.reason = IngestError(unsupported: kind).message
    case .archive:
      source.outcome = .ignored
      source.reason = "It is an archive in another file, which is not read."
    case .unreadable(let error):
      source.outcome = .ignored
      source.reason = error.message
    case .abandoned: return
    }
    pass(.source(source))
  }

  /// Explains a member of an archive that is not read.
  func ignore(_ path: String, because reason: String) {
    var ignored = SourceExplanation(path: path)
    ignored.outcome = .ignored
    ignored.reason = reason
    pass(.source(ignored))
  }

  /// Explains a file that was refused before anything of it could be read, or as a whole after its
  /// members.
  func refuse(_ decoded: DecodedSource) {
    var refused = SourceExplanation(path: decoded.path)
    refused.reason = decoded.report.error?.message
    refused.track = decoded.report
    pass(.source(refused))
  }
}
