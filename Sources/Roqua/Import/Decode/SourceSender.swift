import GeoStore
import TrackIngest

/// Passes the sources of one file to its queue, and adds the archive's left-out files to the report
/// of the last one.
///
/// The end of a source is held back until the next source is known to be reported. So there is
/// always a report left for anything noticed later in the archive.
struct SourceSender {
  /// The number of sources that were passed on or wait to be.
  private(set) var reported = 0
  /// Files that are no tracks, and files of kinds that cannot be read yet.
  private(set) var passedOver = PassedOver()
  /// Warnings about the archive, reported with the source that ends next.
  private var notes = LeftOutNotes()
  /// What to do if an archive has no history, and the file in it that shows this.
  private var advice: (name: String, error: IngestError)?
  /// True if a history of Google was among the sources.
  private var hasTimeline = false
  private var held: DecodedSource?
  private let queue: SourceQueue

  init(_ queue: SourceQueue) { self.queue = queue }

  /// True if an archive without tracks is refused even if it does not claim to hold any: it is
  /// known that it does, or an archive in it is damaged and may have held some.
  var mustSayWhyNone = false

  /// The reason why none of the ignored files could be a track, if known.
  var reasonForNone: IngestError? { advice?.error ?? notes.reasonForNone }

  /// True if the reader of the queue has stopped, so that decoding can stop too.
  var isLeft: Bool { queue.isLeft }

  /// Passes on fixes of the source being decoded; returns false if the reader has stopped.
  mutating func push(_ fixes: [KeptFix]) -> Bool { letGo() && queue.push(fixes) }

  /// Marks the end of a source; returns false if the reader has stopped.
  mutating func end(_ source: DecodedSource) -> Bool {
    reported += 1
    if source.report.format == .googleTimeline { hasTimeline = true }
    guard letGo() else { return false }
    held = source
    return true
  }

  /// A file that does not claim to be a track is not one.
  mutating func ignore(_ path: String) { passedOver.ignore(path) }

  /// A file that does not claim to be a track is of a kind that cannot be read yet.
  mutating func skip(_ kind: UnsupportedKind) { passedOver.skip(kind) }

  /// Whether a file was of a kind that cannot be read yet.
  var hasSkipped: Bool { !passedOver.unsupported.isEmpty }

  /// Discards the number of ignored files: they are parts of one file.
  ///
  /// - Parameter earlier: what was passed over before that file.
  mutating func forgetIgnored(since earlier: PassedOver = PassedOver()) {
    passedOver.forgetIgnored(since: earlier)
  }

  /// Notes a file of an archive that does not claim to be a track and could not be read.
  mutating func leaveOut(_ name: String, for reason: LeftOutNotes.Reason) {
    passedOver.ignore(name)
    notes.add(name, reason)
  }

  /// Notes what to do if the archive has no history of Google.
  mutating func advise(_ error: IngestError, about name: String) {
    if advice == nil { advice = (name, error) }
    mustSayWhyNone = true
  }

  /// Notes warnings about an archive in an archive.
  mutating func note(_ warnings: [IngestWarning], of name: String) {
    notes.add(warnings, of: name)
  }

  /// Marks the end of the file.
  ///
  /// - Parameter warnings: warnings about the archive as a whole.
  mutating func close(warnings: [IngestWarning] = []) {
    held?.report.warnings += warnings
    if let advice, !hasTimeline, held?.report.error != advice.error {
      note(
        [IngestWarning(code: .leftOut, line: nil, message: advice.error.message)], of: advice.name)
    }
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
