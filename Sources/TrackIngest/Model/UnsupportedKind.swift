/// A kind of file that is known to hold tracks and that cannot be read yet.
/// Raw values are the names of the JSON report.
///
/// ```swift
/// let report = try await explorer.importTracks(at: tracks)
/// for (kind, count) in report.unsupported { print("\(count) × \(kind.name): not read") }
/// ```
public enum UnsupportedKind: String, CaseIterable, Sendable {
  /// An archive of MemoLanes.
  case mldx

  /// Its name before `file`: `MemoLanes`.
  public var name: String {
    switch self {
    case .mldx: "MemoLanes"
    }
  }

  /// What to do instead; nil if there is nothing.
  package var advice: String? {
    switch self {
    case .mldx: "export its journeys from MemoLanes as GPX or KML, and import those"
    }
  }

  /// What a file's name says of it, for contents that say nothing; nil if it claims none of these
  /// kinds. Extensions that other files share (`.json`, `.csv`) claim nothing.
  package init?(fileName: String) {
    let base = fileName.split { $0 == "/" || $0 == "\\" }.last ?? ""
    guard !base.hasPrefix("._"), let dot = base.lastIndex(of: ".") else { return nil }
    let claimed = base[base.index(after: dot)...].lowercased()
    guard let kind = Self.allCases.first(where: { $0.fileExtension == claimed }) else { return nil }
    self = kind
  }

  /// The extension of file names that claim the kind, in lower case and without the dot; nil if
  /// there is none of its own.
  package var fileExtension: String? {
    switch self {
    case .mldx: rawValue
    }
  }

  /// What the members of a zip archive make it; nil for an archive of anything.
  package init?(archiveMembers names: Set<String>) {
    if names.contains("metadata.xxm") || names.contains("metadata.mldm") {
      self = .mldx
    } else {
      return nil
    }
  }
}
