import TrackIngest

/// Names of files, and of members of archives, that identify the contents.
extension FoundFile {
  /// Whether a file's name says that it is a track, packed or not: `a.gpx`, `a.nmea.gz`,
  /// `a.gpx.zip`. One in a packing that cannot be read is refused, not ignored.
  static func claimsTrack(path: String) -> Bool {
    !isSummary(path) && claimsTrack(name(path, separators: "/"))
  }

  /// Returns true if the name of an archive member is that of a track, packed or not. Windows
  /// separates folders by `\`.
  static func claimsTrack(memberName: String) -> Bool {
    !isSummary(memberName) && claimsTrack(name(memberName, separators: "/\\"))
  }

  /// Whether a file's name says that it is an archive that Roqua reads: `rides.zip`, `a.gz`,
  /// `b.tar`.
  static func claimsArchive(path: String) -> Bool {
    let file = name(path, separators: "/").lowercased()
    return !file.hasPrefix("._")
      && [".zip", ".gz", ".tar", ".tgz"].contains { file.hasSuffix($0) }
  }

  /// Whether a file is a summary in a snapshot of Fog of World: its name resembles that of a tile.
  private static func isSummary(_ path: String) -> Bool {
    FogOfWorldName.isSummary(path: path) && FogOfWorldName(path: path) != nil
  }

  /// The endings of packed files.
  private static let packings = [".gz", ".zip", ".tar", ".tgz", ".bz2", ".xz", ".zst"]

  private static func name(_ path: String, separators: String) -> Substring {
    path.split { separators.contains($0) }.last ?? ""
  }

  /// Returns true if the name is that of a track. Resource forks, which macOS stores next to files
  /// as `._name`, are not tracks.
  private static func claimsTrack(_ name: Substring) -> Bool {
    guard !name.hasPrefix("._") else { return false }
    let packing = packings.first { name.lowercased().hasSuffix($0) }
    return SourceFormat(fileName: String(name.dropLast(packing?.count ?? 0))) != nil
  }
}
