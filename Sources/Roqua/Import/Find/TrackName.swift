import TrackIngest

/// Names that say what is in a file.
enum TrackName {
  /// Whether a file's name says that it is a track, packed or not: `a.gpx`, `a.nmea.gz`,
  /// `a.gpx.zip`. One in a packing that cannot be read is refused, not ignored.
  static func claimsTrack(path: String) -> Bool {
    claimsTrack(name(path, separators: "/"), packings: [".gz", ".zip", ".bz2", ".xz", ".zst"])
  }

  /// Whether the name of a member of an archive says that it is a track. An archive in an archive
  /// is left out, so its name claims nothing. Windows separates folders by `\`.
  static func claimsTrack(memberName: String) -> Bool {
    claimsTrack(name(memberName, separators: "/\\"), packings: [".gz"])
  }

  private static func name(_ path: String, separators: String) -> Substring {
    path.split { separators.contains($0) }.last ?? ""
  }

  /// macOS keeps resource forks beside files, as `._name`: those say nothing.
  private static func claimsTrack(_ name: Substring, packings: [String]) -> Bool {
    guard !name.hasPrefix("._") else { return false }
    let packing = packings.first { name.lowercased().hasSuffix($0) }
    return SourceFormat(fileName: String(name.dropLast(packing?.count ?? 0))) != nil
  }
}
