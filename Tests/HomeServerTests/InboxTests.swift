import Foundation
import Geodesy
import SQLiteLayer
import SeededRandom
import Synchronization
import TestSupport
import Testing
import TrackIngest

@testable import HomeServer

@Suite struct InboxTests {
  static func fix(_ number: Int, seconds: Int? = nil) -> Fix {
    Fix(
      coordinate: Coordinate(48 + Double(number) * 0.001, 7.75),
      time: Timestamp(millisecondsSince1970: 1_714_557_600_000 + Int64(seconds ?? number) * 10_000),
      horizontalAccuracyMeters: 5, elevationMeters: 1.5, speedMetersPerSecond: 2)
  }

  @Test func `fixes come back as they were, after opening it again, too`() async throws {
    let folder = try TemporaryFolder()
    var bare = Self.fix(3)
    (bare.time, bare.horizontalAccuracyMeters, bare.elevationMeters) = (nil, .infinity, nil)
    let fixes = [Self.fix(1), bare, Self.fix(2)]
    do {
      let inbox = try Inbox(path: folder.file("s.inbox"))
      #expect(try await inbox.receive(fixes, from: "a") == .init(added: 3, repeated: 0))
    }
    let inbox = try Inbox(path: folder.file("s.inbox"))
    #expect(inbox.waitingCount == 3)
    let entries = try await inbox.entries(after: 0, limit: 10)
    #expect(entries.map(\.fix) == fixes && entries.allSatisfy { $0.device == "a" })
    try await inbox.settle(entries.prefix(2).map(\.id))
    #expect(try await inbox.entries(after: 0, limit: 10).map(\.fix) == [fixes[2]])
    #expect(inbox.waitingCount == 1)
  }

  @Test func `a fix that a device sends again is not taken, whether or not it waits`() async throws
  {
    let folder = try TemporaryFolder()
    let fixes = (0..<100).map { Self.fix($0) }
    for round in 0..<3 {
      let inbox = try Inbox(path: folder.file("s.inbox"))
      let receipt = try await inbox.receive(fixes.reversed(), from: "a")
      #expect(receipt == (round == 0 ? .init(added: 100) : .init(repeated: 100)))
      try await inbox.settle(inbox.entries(after: 0, limit: 1_000).map(\.id))
    }
    let inbox = try Inbox(path: folder.file("s.inbox"))
    // Another device, another time or another place is another fix.
    #expect(try await inbox.receive([fixes[0]], from: "b").added == 1)
    #expect(try await inbox.receive([Self.fix(0, seconds: 1)], from: "a").added == 1)
    #expect(try await inbox.receive([Self.fix(1, seconds: 0)], from: "a").added == 1)
  }

  @Test func `the memory of what was seen is bounded`() async throws {
    let folder = try TemporaryFolder()
    let inbox = try Inbox(path: folder.file("s.inbox"), seenCapacity: 10)
    for number in 0..<30 { _ = try await inbox.receive([Self.fix(number)], from: "a") }
    #expect(try await inbox.receive([Self.fix(29)], from: "a").repeated == 1)
    #expect(try await inbox.receive([Self.fix(0)], from: "a").added == 1)
  }

  @Test func `many requests at the same time are all taken, once`() async throws {
    let folder = try TemporaryFolder()
    let inbox = try Inbox(path: folder.file("s.inbox"))
    let added = try await withThrowingTaskGroup(of: Int.self) { group in
      for device in 0..<20 {
        for number in 0..<10 {
          group.addTask {
            try await inbox.receive([Self.fix(number / 2)], from: "device-\(device)").added
          }
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(added == 100)
    #expect(try await inbox.entries(after: 0, limit: 1_000).count == 100)
  }

  private static func logBytes(_ path: String) throws -> Int {
    try Data(contentsOf: URL(fileURLWithPath: path + "-wal")).count
  }

  @Test func `entries that are removed twice are counted once`() async throws {
    let folder = try TemporaryFolder()
    let inbox = try Inbox(path: folder.file("s.inbox"))
    _ = try await inbox.receive((0..<5).map { Self.fix($0) }, from: "a")
    let ids = try await inbox.entries(after: 0, limit: 10).map(\.id)
    try await inbox.settle([ids[0], ids[0], ids[1]])
    try await inbox.settle([ids[1], ids[2], 999])
    #expect(inbox.waitingCount == 2)
    #expect(try await inbox.entries(after: 0, limit: 10).count == 2)
  }

  @Test func `the write-ahead log does not keep what was removed`() async throws {
    let folder = try TemporaryFolder()
    let inbox = try Inbox(path: folder.file("s.inbox"), logPause: .zero)
    _ = try await inbox.receive([Self.fix(0), Self.fix(1)], from: "a")
    #expect(try Self.logBytes(inbox.path) > 0)
    // As a killed server leaves it.
    let copy = folder.file("copy.inbox")
    for end in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: inbox.path + end, toPath: copy + end)
    }
    try await inbox.settle(inbox.entries(after: 0, limit: 1).map(\.id))
    #expect(try Self.logBytes(inbox.path) == 0)
    let opened = try Inbox(path: copy)
    #expect(try Self.logBytes(copy) == 0)
    // Both are open until here: closing removes the log.
    #expect(opened.waitingCount == 2 && inbox.waitingCount == 1)
  }

  @Test(arguments: [
    ("latitude_e7 = 900000001", RowDamage.coordinate),
    ("longitude_e7 = -1 << 40", RowDamage.coordinate), ("device_id = 9", RowDamage.device),
    ("time = 9223372036854775807", RowDamage.time),
    ("time = -9223372036854775807 - 1", RowDamage.time),
  ])
  func `a row that is no fix is set aside and kept, and the others are read`(
    change: String, damage: RowDamage
  ) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("s.inbox")
    let fixes = (0..<4).map { Self.fix($0) }
    do { _ = try await Inbox(path: path).receive(fixes, from: "a") }
    try Self.alter(path, "UPDATE received SET \(change) WHERE id IN (1, 2)")
    let lines = Mutex<[String]>([])
    // It is found again when the server starts again.
    for start in 1...2 {
      let inbox = try Inbox(path: path) { line in lines.withLock { $0.append(line) } }
      #expect(inbox.waitingCount == 4)
      // A limit counts entries: damaged rows do not end the reading.
      for _ in 1...2 {
        #expect(try await inbox.entries(after: 0, limit: 1).map(\.fix) == [fixes[2]])
      }
      #expect(try await inbox.entries(after: 0, limit: 9).map(\.fix) == Array(fixes[2...]))
      #expect(inbox.setAside == [1: damage, 2: damage] && inbox.waitingCount == 2)
      let reported = lines.withLock { $0 }
      #expect(reported.count == 2 * start)
      #expect(reported.allSatisfy { $0.hasPrefix(path) && $0.contains(damage.rawValue) })
      #expect(reported.last?.contains("row 2 ") == true)
    }
  }

  @Test(arguments: [
    "received SET device_id = 2", "received SET device_id = '2x'",
    "received SET device_id = 9223372036854775807", "seen SET device_id = 2",
  ])
  func `a new device gets a number that no damaged row has`(change: String) async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("s.inbox")
    do { _ = try await Inbox(path: path).receive([Self.fix(0), Self.fix(1)], from: "a") }
    try Self.alter(path, "UPDATE \(change) WHERE id = 1")
    for _ in 1...2 {
      let inbox = try Inbox(path: path)
      for device in ["b", "c"] { _ = try await inbox.receive([Self.fix(0)], from: device) }
      let devices = try await inbox.entries(after: 0, limit: 9).map(\.device)
      #expect(devices == (change.hasPrefix("seen") ? ["a"] : []) + ["a", "b", "c"])
    }
  }

  /// Damages some rows as another program, or corrects them.
  private static func move(_ path: String, by offset: Int, _ rows: String) throws {
    try alter(path, "UPDATE received SET latitude_e7 = latitude_e7 + \(offset) WHERE \(rows)")
  }

  @Test func `a row that is corrected while the server runs counts as waiting once`() async throws {
    let folder = try TemporaryFolder()
    let inbox = try Inbox(path: folder.file("s.inbox"))
    let fixes = (0..<3).map { Self.fix($0) }
    _ = try await inbox.receive(fixes, from: "a")
    try Self.move(inbox.path, by: 1 << 40, "id = 1")
    #expect(try await inbox.entries(after: 0, limit: 9).count == 2)
    #expect(inbox.waitingCount == 2 && inbox.setAsideCount == 1)
    try Self.move(inbox.path, by: -1 << 40, "id = 1")
    #expect(try await inbox.entries(after: 0, limit: 9).map(\.fix) == fixes)
    #expect(inbox.waitingCount == 3 && inbox.setAsideCount == 0 && inbox.setAside == [:])
    try await inbox.settle([1])
    #expect(inbox.waitingCount == 2)
    // The other way round: damaged after it was read.
    try Self.move(inbox.path, by: 1 << 40, "id = 2")
    #expect(try await inbox.entries(after: 0, limit: 9).map(\.id) == [3])
    try await inbox.settle([2, 3])
    #expect(inbox.waitingCount == 0 && inbox.setAsideCount == 0 && inbox.setAside == [:])
  }

  @Test func `all damaged rows are counted, and the first 20 named`() async throws {
    let folder = try TemporaryFolder()
    let lines = Mutex<[String]>([])
    let inbox = try Inbox(path: folder.file("s.inbox")) { line in
      lines.withLock { $0.append(line) }
    }
    _ = try await inbox.receive((0..<50).map { Self.fix($0) }, from: "a")
    try Self.move(inbox.path, by: 1 << 40, "id BETWEEN 11 AND 40")
    #expect(try await inbox.entries(after: 0, limit: 99).count == 20)
    #expect(inbox.setAsideCount == 30 && inbox.setAside.keys.sorted() == Array(11...30))
    try Self.move(inbox.path, by: 1 << 40, "id <= 10")
    #expect(try await inbox.entries(after: 0, limit: 99).count == 10)
    #expect(inbox.setAsideCount == 40 && inbox.setAside.keys.sorted() == Array(1...20))
    #expect(inbox.waitingCount == 10 && lines.withLock { $0.count } == 20)
  }

  @Test func `a reading passes damaged rows at the end`() async throws {
    let folder = try TemporaryFolder()
    let inbox = try Inbox(path: folder.file("s.inbox"))
    _ = try await inbox.receive((0..<4).map { Self.fix($0) }, from: "a")
    try Self.move(inbox.path, by: 1 << 40, "id > 2")
    let reading = try await inbox.read(after: 0, limit: 9)
    #expect(reading.entries.map(\.id) == [1, 2] && reading.last == 4)
    #expect(try await inbox.read(after: 0, limit: 1).last == 1)
    #expect(try await inbox.read(after: 4, limit: 9).last == 4)
  }

  @Test func `rows with numbers below 1 do not count as waiting`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("s.inbox")
    do { _ = try await Inbox(path: path).receive([Self.fix(0), Self.fix(1)], from: "a") }
    try Self.alter(path, "UPDATE received SET id = -id WHERE id = 1")
    let inbox = try Inbox(path: path)
    #expect(inbox.waitingCount == 1)
    try await inbox.settle(inbox.entries(after: 0, limit: 9).map(\.id))
    #expect(inbox.waitingCount == 0)
  }

  /// Runs SQL on the database as another program.
  static func alter(_ path: String, _ sql: String) throws {
    let connection = try Connection(path: path, flags: 2)  // SQLITE_OPEN_READWRITE
    try connection.execute(sql)
  }

  @Test func `a closed inbox takes nothing`() async throws {
    let folder = try TemporaryFolder()
    let inbox = try Inbox(path: folder.file("s.inbox"))
    await inbox.close()
    await #expect(throws: Inbox.Refusal.self) { try await inbox.receive([Self.fix(0)], from: "a") }
  }
}
