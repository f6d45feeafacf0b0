import GeoStore
import TrackIngest

/// What an import makes of a part of a file: one step of an explanation, in the order of the files.
package enum ImportExplanation: Sendable {
  /// An archive of a format begins (`zip` or `tar`), whose members follow.
  case archive(path: String, format: String, evidence: ContentEvidence?)
  /// An archive ends, about which there are warnings.
  case archiveEnd(path: String, warnings: [IngestWarning])
  /// A position of the source that is being read was not kept. Only with every position.
  case leftOut(path: String, LeftOutPosition)
  /// A source has been read.
  case source(SourceExplanation)
}

/// What an import makes of a source.
package struct SourceExplanation: Sendable {
  /// What becomes of the source.
  package enum Outcome: String, Sendable {
    /// It is imported.
    case read
    /// It claims to be a track, and nothing of it is imported.
    case refused
    /// It does not claim to be a track, and is not one.
    case ignored
    /// It is known to hold tracks, and cannot be read yet.
    case unsupported
  }

  /// The path as given, joined with the path below it.
  package let path: String
  /// The outcome.
  package internal(set) var outcome = Outcome.refused
  /// The reason for an outcome other than ``Outcome/read``.
  package internal(set) var reason: String?
  /// The compression that was recognized, if any.
  package internal(set) var compression: ContentEvidence?
  /// The bytes by which the format, or the reason to refuse it, was recognized, if any.
  package internal(set) var evidence: ContentEvidence?
  /// The number of bytes after decompression, as far as they were read.
  package internal(set) var bytes = 0
  /// The contents.
  package internal(set) var track = TrackReport()
  /// The number of cells of a source that has explored pixels and no fixes, without
  /// ``withheldCells``.
  package internal(set) var cells = 0
  /// The number of its cells that privacy zones keep out.
  package internal(set) var withheldCells = 0
  /// The positions that were not kept.
  package internal(set) var leftOut = LeftOutSummary()

  init(path: String) { self.path = path }
}
