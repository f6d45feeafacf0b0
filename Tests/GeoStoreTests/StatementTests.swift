import CAllocationCount
import CSQLite
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

@Suite struct StatementTests {
  let folder: TemporaryFolder
  let connection: Connection

  init() throws {
    folder = try TemporaryFolder()
    connection = try Connection(
      path: folder.file("s.sqlite"), flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    try connection.execute(
      "CREATE TABLE t (a INTEGER PRIMARY KEY, b); INSERT INTO t VALUES (1, 'x'), (2, 'y'), (3, 'z')"
    )
  }

  /// The handles of all statements compiled on the connection.
  private var handles: Set<OpaquePointer> {
    Set(
      sequence(first: nil as OpaquePointer?) { [connection] in
        sqlite3_next_stmt(connection.handle, $0)
      }
      .dropFirst().prefix { $0 != nil }.compactMap { $0 })
  }

  /// Whether a statement keeps the connection in a read transaction.
  private var isReading: Bool { sqlite3_txn_state(connection.handle, "main") != SQLITE_TXN_NONE }

  private static let above = "SELECT a FROM t WHERE a > ?1 ORDER BY a"

  /// All ascending chains of numbers in the table, each found while another use of the same SQL
  /// reads the rows before it.
  private func chains(above last: Int64, _ body: ([Int64]) -> Void) throws(DatabaseError) {
    let select = try connection.cached(Self.above)
    select.bind(last, at: 1)
    while try select.step() {
      let number = select.int64(at: 0)
      body([number])
      try chains(above: number) { body([number] + $0) }
      #expect(select.int64(at: 0) == number)
    }
  }

  @Test(arguments: Seeds.sample(10))
  func `nested uses of the same SQL have separate rows and bindings`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    try connection.execute("DELETE FROM t")
    let numbers = (0..<7).map { _ in Int64.random(in: 1...1_000, using: &random) }
    for number in Set(numbers) { try connection.execute("INSERT INTO t (a) VALUES (\(number))") }
    var found: Set<[Int64]> = []
    for _ in 0..<2 { try chains(above: 0) { found.insert($0) } }

    let sorted = Set(numbers).sorted()
    var expected: Set<[Int64]> = []
    for mask in 1..<(1 << sorted.count) {
      expected.insert(sorted.indices.filter { mask >> $0 & 1 == 1 }.map { sorted[$0] })
    }
    #expect(found == expected)
    #expect(handles.count == 1, "only one of several used at the same time is kept")
  }

  @Test func `SQL is compiled once, and again only while it is in use`() throws {
    for _ in 0..<5 { #expect(try connection.integer("SELECT max(a) FROM t") == 3) }
    let kept = handles
    #expect(kept.count == 1)
    let runs = kept.map { sqlite3_stmt_status($0, SQLITE_STMTSTATUS_RUN, 0) }
    #expect(runs == [5])

    let first = try connection.cached("SELECT max(a) FROM t")
    #expect(handles == kept)
    let second = try connection.cached("SELECT max(a) FROM t")
    #expect(handles.count == 2 && handles.isSuperset(of: kept))
    _ = try (first.step(), second.step())
    _ = consume first
    let third = try connection.cached("SELECT max(a) FROM t")
    #expect(handles.count == 2)
    _ = try third.step()
    _ = consume second
    #expect(handles == kept, "the statement that is not kept is finalized")
    _ = consume third
    #expect(handles == kept)
  }

  @Test func `an uncached statement is finalized when it is released`() throws {
    let own = try Statement("SELECT a FROM t", on: connection)
    #expect(handles.count == 1)
    _ = try own.step()
    _ = consume own
    #expect(handles.isEmpty && !isReading)
  }

  /// Reads the first of several rows, then returns or throws.
  private func peek(_ value: String?, throwing error: DatabaseError? = nil) throws(DatabaseError)
    -> String?
  {
    let select = try connection.cached("SELECT coalesce(?1, 'nothing') || b FROM t")
    if let value { select.bind(value, at: 1) }
    let isFound = try select.step()
    #expect(isFound && isReading)
    if let error { throw error }
    return select.text(at: 0)
  }

  @Test func `releasing a statement before its last row leaves no lock and no binding`() throws {
    #expect(try peek("bound ") == "bound x")
    #expect(!isReading)
    #expect(try peek(nil) == "nothingx")
    #expect(!isReading)
    #expect(throws: DatabaseError.self) { try peek("bound ", throwing: .missing(path: "p")) }
    #expect(!isReading)
    #expect(try peek(nil) == "nothingx")
    #expect(handles.count == 1)
    // Any open statement would make these fail.
    try connection.execute("BEGIN; DROP TABLE t; ROLLBACK; VACUUM")
  }

  @Test func `bound text of any length stays valid until the statement is released`() throws {
    for length in [0, 1, 100, 500, 1_024, 1_025, 5_000] {
      let texts = (0..<4).map { String(repeating: "\($0)", count: length) }
      for _ in 0..<2 {
        let select = try connection.cached("SELECT ?1, ?2, ?3, ?4")
        for (index, text) in texts.enumerated() { select.bind(text, at: Int32(index) + 1) }
        #expect(try select.step())
        for (index, text) in texts.enumerated() {
          let isKept = select.text(at: Int32(index)) == text
          #expect(isKept, "text \(index) of \(length) bytes")
        }
      }
    }
  }

  private func statementAlone(_ watch: (Connection) -> Void) throws -> Statement {
    let other = try Connection(path: connection.path, flags: SQLITE_OPEN_READWRITE)
    watch(other)
    return try other.cached("SELECT count(*) FROM t")
  }

  @Test func `a statement keeps its connection open`() throws {
    weak var other: Connection?
    let select = try statementAlone { other = $0 }
    #expect(other != nil)
    let isFound = try select.step()
    let count = select.int(at: 0)
    #expect(isFound && count == 3)
    _ = consume select
    #expect(other == nil)
  }

  @Test func `using a prepared statement twice at a time ends the program`() async {
    await #expect(processExitsWith: .failure) {
      let connection = try Connection(path: "", flags: SQLITE_OPEN_READWRITE, name: "")
      let prepared = try PreparedStatement("SELECT 1", on: connection)
      let first = Statement(using: prepared, of: connection)
      let second = Statement(using: prepared, of: connection)
      _ = try (first.step(), second.step())
    }
  }

  @Test func `reusing a cached statement allocates nothing`() throws {
    let text = "SELECT ?1, ?2"
    var sum: Int64 = 0
    func use(_ value: Int64) throws {
      let select = try connection.cached(text)
      select.bind(value, at: 1)
      select.bind("a text of more than fifteen bytes", at: 2)
      if try select.step() { sum += select.int64(at: 0) }
    }
    try use(0)
    let before = roqua_allocation_count()
    var value: Int64 = 1
    while value <= 100 {
      try use(value)
      value += 1
    }
    let allocations = roqua_allocation_count() - before
    #expect(allocations == 0)
    #expect(sum == 5_050)
  }
}
