import GeoStore
import TrackIngest

/// Hands the sources of one file to its stream, and says with the last of them what an archive has
/// left out.
///
/// The end of a source waits until the next one is known to be worth telling of: so whatever is
/// noticed later in the archive still finds a report to stand in.
struct SourceOutlet {
  /// Sources that were handed over or wait to be.
  private(set) var reported = 0
  /// Files that are no tracks.
  private(set) var ignored = 0
  /// What is to be said of the archive with the source that ends next.
  private var notes = LeftOutNotes()
  private var held: DecodedSource?
  private let stream: SourceStream

  init(_ stream: SourceStream) { self.stream = stream }

  /// Why none of the files that were ignored could be a track, where that is known.
  var reasonForNone: IngestError? { notes.reasonForNone }

  /// Whether nobody reads any more, so that decoding may stop.
  var isLeft: Bool { stream.isLeft }

  /// Hands over fixes of the source that is being decoded; false where nobody reads any more.
  mutating func push(_ fixes: [KeptFix]) -> Bool { letGo() && stream.push(fixes) }

  /// A source has ended; false where nobody reads any more.
  mutating func end(_ source: DecodedSource) -> Bool {
    reported += 1
    guard letGo() else { return false }
    held = source
    return true
  }

  /// A file that does not claim to be a track is none.
  mutating func ignore() { ignored += 1 }

  /// Takes back what was ignored: it need not be told of one by one.
  mutating func forgetIgnored() { ignored = 0 }

  /// A file of an archive that does not claim to be a track could not be looked at.
  mutating func leaveOut(_ name: String, for reason: LeftOutNotes.Reason) {
    ignored += 1
    notes.add(name, reason)
  }

  /// The file has ended.
  ///
  /// - Parameter warnings: what is odd about the archive as a whole.
  mutating func close(warnings: [IngestWarning] = []) {
    held?.report.warnings += warnings
    _ = letGo()
    stream.close(ignored: ignored)
  }

  private mutating func letGo() -> Bool {
    guard var source = held else { return true }
    held = nil
    source.leftOut = notes.warnings
    source.report.warnings += source.leftOut
    notes = LeftOutNotes()
    return stream.end(source)
  }
}

/// Files of an archive that were not looked at, gathered into a warning for each reason.
struct LeftOutNotes {
  /// Why a file was left out.
  enum Reason: Hashable {
    /// It is itself a zip archive.
    case isArchive
    /// Encrypted, packed in an unknown way, or damaged.
    case unreadable(IngestError)
  }

  private var archives: [String] = []
  private var archiveCount = 0
  private var unreadable: (name: String, error: IngestError)?
  private var unreadableCount = 0

  /// Notes a file.
  mutating func add(_ name: String, _ reason: Reason) {
    switch reason {
    case .isArchive:
      archiveCount += 1
      if archives.count < 3 { archives.append(Self.shown(name)) }
    case .unreadable(let error):
      unreadableCount += 1
      if unreadable == nil { unreadable = (Self.shown(name), error) }
    }
  }

  /// A sentence for each reason.
  var warnings: [IngestWarning] {
    var sentences: [String] = []
    if archiveCount > 0 {
      let more = archiveCount > archives.count ? " and \(archiveCount - archives.count) more" : ""
      sentences.append(
        "Left out: archives inside the archive (\(archives.joined(separator: ", "))\(more)); "
          + "unpack them first."
      )
    }
    if let unreadable {
      let more = unreadableCount > 1 ? " (and \(unreadableCount - 1) more files)" : ""
      sentences.append("Left out: \(unreadable.name)\(more). \(unreadable.error.message)")
    }
    return sentences.map { IngestWarning(code: .leftOut, line: nil, message: $0) }
  }

  /// Why an archive in which nothing else was found holds no track that can be read; nil where
  /// nothing was left out.
  var reasonForNone: IngestError? {
    if archiveCount > 0 {
      return IngestError(
        code: .unknownFormat,
        message:
          "It holds no track but another archive (\(archives[0])), which is left out: "
          + "unpack it first."
      )
    }
    return unreadable.map {
      IngestError(code: $0.error.code, message: "\($0.name): \($0.error.message)")
    }
  }

  /// A member's name for a person: without control characters, and not endless.
  private static func shown(_ name: String) -> String {
    let safe = name.unicodeScalars.prefix(100).map { scalar -> Character in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator: "\u{FFFD}"
      default: Character(scalar)
      }
    }
    return String(safe) + (name.unicodeScalars.count > 100 ? "…" : "")
  }
}
