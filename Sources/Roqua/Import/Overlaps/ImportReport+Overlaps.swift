import GeoStore

extension ImportReport {
  /// The number of kept fixes of other sources that are read at most to find the overlaps of an
  /// import. More would make the import of one file noticeably slower.
  static let overlapFixesAtMost = 4_000_000

  /// Adds which sources of the store cover the same time as the imported files. The stored reports
  /// do not contain it, so that nothing of a forgotten source remains in that of another.
  mutating func addOverlaps(in store: Store) throws {
    let imported = Set(files.lazy.filter { $0.status == .imported }.compactMap(\.sha256))
    guard !imported.isEmpty else { return }
    overlaps = try store.read { (snapshot: Snapshot) in
      let ids = try snapshot.sourceIDs(ofSHA256: imported)
      return try snapshot.overlaps(
        of: ids, readingAtMost: Self.overlapFixesAtMost,
        listingAtMost: FileOverlaps.listedAtMost)
    }
    var found: [String: FileOverlaps] = [:]
    for member in overlaps.list.flatMap({ [$0.first, $0.second] }) {
      found[member.sha256, default: FileOverlaps()].count = overlaps.counts[member.id] ?? 0
    }
    for overlap in overlaps.list {
      found[overlap.first.sha256, default: FileOverlaps()].add(overlap, with: overlap.second)
      found[overlap.second.sha256, default: FileOverlaps()].add(overlap, with: overlap.first)
    }
    for index in files.indices where files[index].status == .imported {
      files[index].overlaps = files[index].sha256.flatMap { found[$0] } ?? FileOverlaps()
    }
  }
}
