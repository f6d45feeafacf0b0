import GeoStore
import TrackIngest

/// Hands the sources of one file to its queue, and says with the last of them what an archive has
/// left out.
///
/// The end of a source waits until the next one is known to be worth telling of: so whatever is
/// noticed later in the archive still finds a report to stand in.
struct SourceSender {
  /// Sources that were handed over or wait to be.
  private(set) var reported = 0
  /// Files that are no tracks, and files of kinds that cannot be read yet.
  private var passedOver = PassedOver()
  /// What is to be said of the archive with the source that ends next.
  private var notes = LeftOutNotes()
  private var held: DecodedSource?
  private let queue: SourceQueue

  init(_ queue: SourceQueue) { self.queue = queue }

  /// Why none of the files that were ignored could be a track, where that is known.
  var reasonForNone: IngestError? { notes.reasonForNone }

  /// Whether nobody reads any more, so that decoding may stop.
  var isLeft: Bool { queue.isLeft }

  /// Hands over fixes of the source that is being decoded; false where nobody reads any more.
  mutating func push(_ fixes: [KeptFix]) -> Bool { letGo() && queue.push(fixes) }

  /// A source has ended; false where nobody reads any more.
  mutating func end(_ source: DecodedSource) -> Bool {
    reported += 1
    guard letGo() else { return false }
    held = source
    return true
  }

  /// A file that does not claim to be a track is none.
  mutating func ignore() { passedOver.ignored += 1 }

  /// A file that does not claim to be a track is of a kind that cannot be read yet.
  mutating func skip(_ kind: UnsupportedKind) { passedOver.unsupported[kind, default: 0] += 1 }

  /// Whether a file was of a kind that cannot be read yet.
  var hasSkipped: Bool { !passedOver.unsupported.isEmpty }

  /// Takes back what was skipped: it is part of a file of one kind.
  mutating func forgetSkipped() { passedOver.unsupported = [:] }

  /// Takes back what was ignored: it need not be told of one by one.
  mutating func forgetIgnored() { passedOver.ignored = 0 }

  /// A file of an archive that does not claim to be a track could not be looked at.
  mutating func leaveOut(_ name: String, for reason: LeftOutNotes.Reason) {
    passedOver.ignored += 1
    notes.add(name, reason)
  }

  /// The file has ended.
  ///
  /// - Parameter warnings: what is odd about the archive as a whole.
  mutating func close(warnings: [IngestWarning] = []) {
    held?.report.warnings += warnings
    _ = letGo()
    queue.close(passedOver)
  }

  private mutating func letGo() -> Bool {
    guard var source = held else { return true }
    held = nil
    source.leftOut = notes.warnings
    source.report.warnings += source.leftOut
    notes = LeftOutNotes()
    return queue.end(source)
  }
}
