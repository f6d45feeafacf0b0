import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer
@testable import Roqua

/// Stores with modified values or bytes: a query returns an answer or throws an error, and never
/// traps.
@Suite struct ForgedStoreTests {
  /// Places far from land and cities, where lookups are fast, and on both sides of ±180°.
  private static let places = [
    Coordinate(30, -40), Coordinate(-20, 179.9999), Coordinate(30.001, -40.002),
  ]

  /// The bytes of a store with one source of each kind.
  private static let original = Result {
    let folder = try TemporaryFolder()
    let path = folder.file("s.sqlite")
    try StoreQuestions.fill(Explorer(storePath: path).store, around: places)
    return try Data(contentsOf: URL(fileURLWithPath: path))
  }

  /// Runs statements on a database that no store has open; statements that SQLite rejects are
  /// ignored.
  private func forge(_ path: String, _ statements: [String]) throws {
    let connection = try Connection(path: path, flags: 2)  // SQLITE_OPEN_READWRITE
    try connection.execute("PRAGMA ignore_check_constraints = ON")
    for statement in statements { try? connection.execute(statement) }
  }

  @Test func `an unmodified store answers every query and passes every check`() throws {
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
  func `modified values or bytes in a store never cause a trap`(part: UInt64) throws {
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
    // Fewer answers or errors would mean that the changes hit everything or nothing that matters.
    #expect(answers > 500 && errors > 100, "\(answers) answers, \(errors) errors")
  }
}
