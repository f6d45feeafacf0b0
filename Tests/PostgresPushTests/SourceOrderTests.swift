import GeoStore
import SQLiteLayer
import Testing

@testable import PostgresPush

/// The order of pushed sources, which a store that is pulled keeps.
@Suite struct SourceOrderTests {
  /// A source with only a time of import.
  private func source(_ importedAt: String) -> SourceRecord {
    SourceRecord(
      sha256: String(repeating: "0", count: 64), withheld: 0,
      columns: SourceRecord.columnNames.map { $0 == "imported_at" ? .text(importedAt) : .null })
  }

  /// As texts, a whole second comes after its fractions, because a `Z` comes after a point.
  @Test func `sources are in the order of their times, then of their numbers`() {
    let times = [
      "2024-05-01T10:00:00.129Z", "2024-05-01T10:00:00Z", "2024-05-01T10:00:00.129Z",
      "2024-05-01T09:59:59.999Z", "no time",
    ]
    let sources = times.enumerated().map { (id: Int64($0 + 1), source: source($1)) }
    #expect(PushedStore.ordered(sources).map(\.id) == [5, 4, 2, 1, 3])
    #expect(PushedStore.ordered(sources.reversed()).map(\.id) == [5, 4, 2, 1, 3])
  }
}
