import Foundation
import TestSupport
import Testing

@testable import PostgresPush

/// Which rows belong to a piece.
@Suite struct PieceKeyTests {
  /// The ranges of a deletion as numbers.
  private func ranges(_ key: PieceKey, _ pieces: [Int64]) -> [ClosedRange<Int64>] {
    let (low, high) = key.ranges(of: pieces, person: 7)
    func numbers(_ array: String) -> [Int64] {
      array.dropFirst().dropLast().split(separator: ",").compactMap { Int64($0) }
    }
    return zip(numbers(low), numbers(high)).map { $0...$1 }
  }

  @Test(arguments: Seeds.sample(20))
  func `ranges have exactly the values of the pieces, and never touch`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let bits = Int.random(in: 0...8, using: &random)
    let key = PieceKey.prefix(column: "c", droppedBits: bits)
    let span = Int64.random(in: 1...60, using: &random)
    let pieces = Set((0..<20).map { _ in Int64.random(in: -span...span, using: &random) })
    let found = ranges(key, pieces.sorted())
    for value in (-span - 2) << Int64(bits)...(span + 2) << Int64(bits) {
      #expect(found.contains { $0.contains(value) } == pieces.contains(value >> Int64(bits)))
    }
    for (left, right) in zip(found, found.dropFirst()) {
      #expect(left.upperBound + 1 < right.lowerBound)
    }
  }

  @Test func `rows at both ends of the numbers have ranges`() {
    #expect(ranges(.row("c"), [.min, .max]) == [.min ... .min, .max ... .max])
  }

  @Test func `the whole table is the range of the person`() {
    #expect(ranges(.whole, [0]) == [7...7])
  }

  @Test func `the piece of a source is the beginning of its hash`() {
    let hash = (0..<32).map { UInt8($0 + 200) }
    let piece = PieceKey.piece(sha256: hash)
    let (low, high) = PieceKey.source.ranges(of: [piece], person: 7)
    let begin = "c8c9cacbcccdcecf"
    #expect(low == "{\"\\\\x\(begin)\(String(repeating: "00", count: 24))\"}")
    #expect(high == "{\"\\\\x\(begin)\(String(repeating: "ff", count: 24))\"}")
  }

  @Test func `every table has a number and columns of its own`() {
    let tables = PushedTable.all
    #expect(Set(tables.map(\.kind)).count == tables.count)
    #expect(Set(tables.map(\.name)).count == tables.count)
    for table in tables {
      let columns = columns(of: table.name)
      #expect(Set(columns) == Set(["person"] + table.columns), "\(table.name)")
    }
  }

  /// The names of a table's columns in the schema.
  private func columns(of table: String) -> [String] {
    let parts = PostgresSchema.sql(for: .plain).components(
      separatedBy: "CREATE TABLE roqua.\(table) (")
    guard parts.count == 2 else { return [] }
    let lines = parts[1].components(separatedBy: "PRIMARY KEY (person")[0].split(separator: "\n")
    let words = lines.map { $0.split(separator: " ") }
    return words.filter { $0.count > 1 && $0[0] != "--" }.map { String($0[0]) }
  }
}
