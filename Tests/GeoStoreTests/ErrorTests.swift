import CSQLite
import Foundation
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

@Suite struct ErrorTests {
  private static let failure = SQLiteFailure(extendedCode: 1, message: "m", sql: "SELECT\n  1")

  /// One of each case, with and without a failure of SQLite.
  private static let database: [DatabaseError] = [
    .missing(path: "p"), .cannotOpen(path: "p", reason: "r"),
    .cannotOpen(path: "p", reason: "r", cause: failure),
    .notADatabase(path: "p"), .notADatabase(path: "p", cause: failure), .otherProgram(path: "p"),
    .newerVersion(path: "p", found: 2, supported: 1), .damaged(path: "p", detail: "d"),
    .damaged(path: "p", detail: "d", cause: failure), .diskFull(path: "p"),
    .diskFull(path: "p", cause: failure),
    .readOnly(path: "p"), .readOnly(path: "p", cause: failure), .busy(path: "p"),
    .busy(path: "p", cause: failure), .cannotWrite(path: "p", reason: "r"),
    .readOnly(path: "p", reason: "r"), .linked(path: "p", names: 2), .moved(path: "p"),
    .changedWhileRead(path: "p"), .alteredSchema(path: "p", detail: "d"), .fileExists(path: "p"),
    .refused(path: "p", .otherProfile), .locked(path: "p"), .interrupted(path: "p"),
    .sqlite(path: "p", cause: failure),
  ]

  private static let store: [StoreError] = [
    .setting(key: "p", reason: "r"),
    .gridMismatch(path: "p", radiusMeters: 200, storeRadiusMeters: 150),
    .noSuchSource(path: "p", selector: "s"),
    .ambiguousSource(path: "p", selector: "s", ids: [1, 2]),
    .recordingForgotten(path: "p", id: 1), .invalidZone(path: "p", reason: "r"),
    .noSuchZone(path: "p", selector: "s"), .notAnAppDatabase(path: "p", reason: "r"),
  ]

  /// An exhaustive switch, so that no case can be left out.
  private func number(_ error: DatabaseError) -> Int {
    switch error {
    case .missing: 0
    case .cannotOpen: 1
    case .notADatabase: 2
    case .otherProgram: 3
    case .newerVersion: 4
    case .damaged: 5
    case .diskFull: 6
    case .readOnly: 7
    case .busy: 8
    case .cannotWrite: 9
    case .sqlite: 10
    case .linked: 11
    case .moved: 12
    case .changedWhileRead: 13
    case .alteredSchema: 14
    case .fileExists: 15
    case .interrupted: 16
    case .refused: 17
    case .locked: 18
    }
  }

  private func number(_ error: StoreError) -> Int {
    switch error {
    case .setting: 0
    case .gridMismatch: 1
    case .noSuchSource: 2
    case .ambiguousSource: 3
    case .notAnAppDatabase: 4
    case .recordingForgotten: 5
    case .invalidZone: 6
    case .noSuchZone: 7
    }
  }

  @Test func `every error is one line that begins with the file or setting it is about`() {
    #expect(Set(Self.database.map(number)) == Set(0...18))
    #expect(Set(Self.store.map(number)) == Set(0...7))
    for line in Self.database.map(\.description) + Self.store.map(\.description) {
      #expect(line.hasPrefix("p: "), "\(line)")
      #expect(line.count > 3 && !line.contains("\n"), "\(line)")
    }
  }

  /// The tool adds advice for users; the libraries know no commands or options.
  @Test func `no error of the libraries mentions an option or command of the tool`() {
    for line in Self.database.map(\.description) + Self.store.map(\.description) {
      #expect(!line.contains("--") && !line.contains("roqua "), "\(line)")
    }
  }

  @Test
  func `SQLite's message about a damaged schema becomes one line without control characters`() {
    let failure = SQLiteFailure(
      extendedCode: 11, message: "malformed (days) - near \"\u{1B}[2J,\n    \u{0} count\": error",
      sql: nil)
    #expect(failure.message == "malformed (days) - near \" [2J, count\": error")
  }

  @Test func `an I/O error has the reason of the system, other errors have none`() {
    let failure = SQLiteFailure(
      extendedCode: 778, message: "disk I/O error", sql: nil, systemError: EFBIG)
    #expect(failure.systemReason == "File too large")
    #expect(failure.description == "SQLite error 778: disk I/O error (File too large)")
    for (code, system) in [(Int32(778), Int32(0)), (1, EFBIG), (14, ENOENT)] {
      let failure = SQLiteFailure(
        extendedCode: code, message: "m", sql: nil, systemError: system)
      #expect(failure.systemReason == nil && failure.description == "SQLite error \(code): m")
    }
  }

  @Test func `every error caused by SQLite includes SQLite's code, message and SQL`() {
    let code: (Int32) -> DatabaseError = {
      DatabaseError(SQLiteFailure(extendedCode: $0, message: "m", sql: "SELECT 1"), path: "p")
    }
    for value in [Int32(5), 261, 6, 8, 264, 3, 11, 267, 13, 14, 270, 26, 10, 266, 1, 19, 2_067] {
      #expect(
        code(value).sqliteFailure
          == SQLiteFailure(extendedCode: value, message: "m", sql: "SELECT 1"),
        "\(value)")
    }
    #expect(Self.database.compactMap(\.sqliteFailure) == Array(repeating: Self.failure, count: 7))
  }

  @Test func `an error includes its code and SQL but not the bound values`() throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    let error = #expect(throws: DatabaseError.self) {
      for _ in 0..<2 {
        try store.write { session in
          let insert = try session.connection.cached(
            """
            INSERT INTO sources (sha256, path, format, bytes, points, kept, report, imported_at)
            VALUES (?1, 'a', 'a', 1, 1, 1, '', '')
            """)
          insert.bind("bound and secret", at: 1)
          try insert.run()
        }
      }
    }
    let failure = try #require(error?.sqliteFailure)
    #expect(failure.extendedCode == 2_067)  // SQLITE_CONSTRAINT_UNIQUE
    #expect(failure.sql?.contains("VALUES (?1, 'a'") == true)
    #expect(error?.description.contains("secret") == false)

    let path = folder.file("locked.sqlite")
    _ = try Store(path: path, creating: true)
    let (holder, waiting) = (
      try Connection(path: path, flags: SQLITE_OPEN_READWRITE),
      try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
    )
    try holder.execute("BEGIN IMMEDIATE")
    let busy = #expect(throws: DatabaseError.self) { try waiting.execute("BEGIN IMMEDIATE") }
    #expect(
      busy
        == .busy(
          path: path,
          cause: SQLiteFailure(
            extendedCode: 5, message: "database is locked", sql: "BEGIN IMMEDIATE")))
  }

  /// A code that was returned but not recorded in the connection.
  @Test func `an error has the code that was returned, not the code of an earlier call`() throws {
    let folder = try TemporaryFolder()
    let connection = try Connection(
      path: folder.file("a.sqlite"), flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    try connection.execute("CREATE TABLE a (b)")
    let error = connection.error(SQLITE_FULL, sql: nil)
    #expect(
      error
        == .diskFull(
          path: connection.path,
          cause: SQLiteFailure(extendedCode: 13, message: "database or disk is full", sql: nil)))
  }

  @Test func `a failure to grow a file on a full disk is reported as such, a read error is not`() {
    let code: (Int32, Bool) -> DatabaseError = { code, isFull in
      DatabaseError(SQLiteFailure(extendedCode: code, message: "m", sql: nil), path: "p") { isFull }
    }
    for value in [Int32(4_874), 778, 1_034, 1_546, 4_618, 5_386] {
      let failure = SQLiteFailure(extendedCode: value, message: "m", sql: nil)
      #expect(code(value, true) == .diskFull(path: "p", cause: failure), "\(value)")
      #expect(code(value, false) == .sqlite(path: "p", cause: failure), "\(value)")
    }
    // Read, short read, file size, lock.
    for value in [Int32(266), 522, 1_802, 3_850] {
      let failure = SQLiteFailure(extendedCode: value, message: "m", sql: nil)
      #expect(code(value, true) == .sqlite(path: "p", cause: failure), "\(value)")
    }
  }

  @Test func `a volume with free space is not reported as full`() throws {
    let folder = try TemporaryFolder()
    #expect(!VolumeSpace.isUsedUp(at: try folder.write("a", to: "a")))
    #expect(!VolumeSpace.isUsedUp(at: folder.file("missing")))
    #expect(!VolumeSpace.isUsedUp(at: "relative"))
    #expect(!VolumeSpace.isUsedUp(at: "/no/such/folder"))
  }
}
