import Geodesy
import TrackIngest

extension SourceSender {
  /// Collects the files of an archive that were left out into one warning per reason.
  struct LeftOutNotes {
    /// The reason why a file was left out.
    enum Reason: Hashable {
      /// The file is an archive in an archive that is itself in one, or is compressed with gzip.
      case isArchive
      /// The file is encrypted, compressed by an unknown method, or damaged.
      case unreadable(IngestError)
    }

    private var archives: [String] = []
    private var archiveCount = 0
    private var unreadable: (name: String, error: IngestError)?
    private var unreadableCount = 0
    private var ofArchives: [IngestWarning] = []

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

    /// Notes warnings about an archive in the archive.
    mutating func add(_ warnings: [IngestWarning], of name: String) {
      ofArchives += warnings.map {
        IngestWarning(code: $0.code, line: nil, message: "\(Self.shown(name)): \($0.message)")
      }
    }

    /// One warning per reason, and those about archives in the archive.
    var warnings: [IngestWarning] {
      var sentences: [String] = []
      if archiveCount > 0 {
        let rest = archiveCount - archives.count
        let more = rest > 0 ? " and \(GroupedNumber.text(rest)) more" : ""
        sentences.append(
          "The archive contains other archives (\(archives.joined(separator: ", "))\(more)); "
            + "they were left out: unpack them first."
        )
      }
      if let unreadable {
        let rest = unreadableCount - 1
        let more = rest > 0 ? " (and \(GroupedNumber.text(rest)) more files)" : ""
        sentences.append("\(unreadable.name) was left out\(more). \(unreadable.error.message)")
      }
      return ofArchives + sentences.map { IngestWarning(code: .leftOut, line: nil, message: $0) }
    }

    /// The reason why an archive without any readable track has none; nil if no file was left out.
    var reasonForNone: IngestError? {
      if archiveCount > 0 {
        return IngestError(
          code: .unknownFormat,
          message:
            "It contains no track, only another archive (\(archives[0])); "
            + "unpack that archive first."
        )
      }
      return unreadable.map {
        IngestError(code: $0.error.code, message: "\($0.name): \($0.error.message)")
      }
    }

    /// A member's name for display: without control characters and limited in length.
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
}
