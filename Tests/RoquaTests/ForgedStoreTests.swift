import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer
@testable import Roqua

/// Stores whose values or bytes somebody has changed: they are answered, or an error says what is
/// wrong; nothing traps.
@Suite struct ForgedStoreTests {
  /// Far from any land and city, where places are looked up quickly, and on both sides of ±180°.
  private static let places = [
    Coordinate(30, -40), Coordinate(-20, 179.9999), Coordinate(30.001, -40.002),
  ]

  /// The bytes of a store with a source of each kind.
  private static let original = Result {
    let folder = try TemporaryFolder()
    let path = folder.file("s.sqlite")
    try StoreQuestions.fill(Explorer(storePath: path).store, around: places)
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// Runs statements on a database that no store has open; one that SQLite refuses changes nothing.
  private func forge(_ path: String, _ statements: [String]) throws {
    let connection = try Connection(path: path, flags: 2)  // SQLITE_OPEN_READWRITE
    try connection.execute("PRAGMA ignore_check_constraints = ON")
    for statement in statements { try? connection.execute(statement) }
  }

  @Test func `a store that nobody changed answers everything`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write([UInt8](Self.original.get()), to: "s.sqlite")
    let questions = try #require(StoreQuestions(storePath: path, around: Self.places))
    let check = try questions.explorer.check()
    #expect(check.isSound, "\(check.steps.flatMap(\.differences))")
    questions.askAll()
    for number in 0..<StoreQuestions.changeCount { questions.change(number) }
    #expect(questions.errors == 0)
    let after = try questions.explorer.check()
    #expect(after.isSound, "\(after.steps.flatMap(\.differences))")
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `no changed value and no changed byte of a store traps`(part: UInt64) throws {
    let folder = try TemporaryFolder()
    var (answers, errors) = (0, 0)
    for seed in part * 1_000..<part * 1_000 + 100 {
      var random = SplitMix64(seed: seed)
      var bytes = [UInt8](try Self.original.get())
      if seed % 4 == 0 {
        for _ in 0...Int.random(in: 0..<6, using: &random) {
          bytes[.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
        }
      }
      let path = try folder.write(bytes, to: "\(seed).sqlite")
      if seed % 4 != 0 {
        try forge(
          path,
          (0...Int.random(in: 0..<3, using: &random)).map { _ in
            StoreForger.statement { Int.random(in: 0..<$0, using: &random) }
          })
      }
      guard let questions = StoreQuestions(storePath: path, around: Self.places) else { continue }
      questions.askAll()
      questions.check()
      questions.change(Int(seed) % StoreQuestions.changeCount)
      #expect(questions.complaints == [], "seed \(seed)")
      answers += questions.answers
      errors += questions.errors
    }
    // Else nothing was changed that matters, or everything was.
    #expect(answers > 500 && errors > 100, "\(answers) answers, \(errors) errors")
  }
}
