import FuzzSupport

@testable import SQLiteLayer

/// Write-ahead logs and rollback journals: any bytes are read without a trap, a truncated file
/// never gives another answer, and SQLite reads the same first page from a log.
///
/// Bit 0 of the choice selects a log or a journal. With bit 1 a log gets valid checksums, which no
/// fuzzer would find; with bit 2 SQLite reads it too. Bits 4 to 7 are the length of the truncated
/// file that is compared.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzJournal(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  let shorter = input.body.count * Int(input.choice >> 4) / 16
  if input.choice & 1 == 0 {
    var log = input.body
    if input.choice & 2 != 0 { FuzzedLog.seal(&log) }
    checkLog(log, shorter: shorter)
    if input.choice & 4 != 0 { compareWithSQLite(log) }
  } else {
    checkJournal(input.body, shorter: shorter)
  }
  return 0
}

private func checkLog(_ bytes: [UInt8], shorter: Int) {
  FuzzFolder.write(bytes, to: "log")
  let log = WriteAheadLog(path: FuzzFolder.file("log"))
  let pages = log?.firstPages() ?? []
  if let committed = log?.committedFirstPage() {
    require(pages.contains(committed), "\(committed) is committed and not in the log")
  }
  FuzzFolder.write(Array(bytes.prefix(shorter)), to: "log")
  let earlier = WriteAheadLog(path: FuzzFolder.file("log"))
  let earlierPages = earlier?.firstPages() ?? []
  requireEqual(earlierPages, Array(pages.prefix(earlierPages.count)), "a shorter log")
  if let committed = earlier?.committedFirstPage() {
    require(pages.contains(committed), "\(committed) is committed in the shorter log only")
  }
}

private func checkJournal(_ bytes: [UInt8], shorter: Int) {
  FuzzFolder.write(bytes, to: "journal")
  let page = RollbackJournal.firstPage(path: FuzzFolder.file("journal"))
  FuzzFolder.write(Array(bytes.prefix(shorter)), to: "journal")
  if let earlier = RollbackJournal.firstPage(path: FuzzFolder.file("journal")) {
    require(earlier == page, "\(earlier) in a shorter journal, \(page as Any) in the whole")
  }
}

/// The owner of a database must not depend on who reads its log.
private func compareWithSQLite(_ log: [UInt8]) {
  let database = FuzzedLog.database
  FuzzFolder.remove(FuzzedLog.sideNames)
  FuzzFolder.write(database, to: FuzzedLog.name)
  FuzzFolder.write(log, to: FuzzedLog.name + "-wal")
  let path = FuzzFolder.file(FuzzedLog.name)
  guard
    let page = WriteAheadLog(path: path + "-wal")?.committedFirstPage() ?? FirstPage(database),
    let connection = try? Connection(path: path, flags: FuzzedLog.readWrite),
    // SQLite reports a log that it rejects.
    let applicationID = try? connection.integer("PRAGMA application_id"),
    let version = try? connection.integer("PRAGMA user_version")
  else { return }
  require(
    page.applicationID == applicationID && page.version == Int(version),
    "\(page), by SQLite application_id \(applicationID) and user_version \(version)")
}

/// The database next to the log, and the checksums of a log.
private enum FuzzedLog {
  static let name = "database"
  static let sideNames = ["-wal", "-shm", "-journal"].map { name + $0 }
  static let readWrite: Int32 = 2  // SQLITE_OPEN_READWRITE

  /// A database with pages of 512 bytes, as the logs of the seeds have.
  static let database: [UInt8] = {
    let create: Int32 = 4  // SQLITE_OPEN_CREATE
    do {
      let connection = try Connection(
        path: FuzzFolder.file("new"), flags: readWrite | create)
      try connection.execute(
        """
        PRAGMA page_size = 512; CREATE TABLE notes (text); PRAGMA application_id = 7;
        PRAGMA user_version = 3
        """)
    } catch {
      fatalError("\(error)")
    }
    return FuzzFolder.read("new") ?? []
  }()

  /// Gives a log a header that SQLite accepts, and all complete frames its salt and valid checksums
  /// (https://www.sqlite.org/fileformat.html, section 4.2).
  static func seal(_ log: inout [UInt8]) {
    guard log.count >= 32 else { return }
    let isBigEndian = log[3] & 1 == 1
    put(0x377F_0682 | (isBigEndian ? 1 : 0), at: 0, in: &log)
    put(3_007_000, at: 4, in: &log)
    var pageBytes = Int(log.bigEndian(at: 8))
    if pageBytes.nonzeroBitCount != 1 || !(512...65_536).contains(pageBytes) {
      pageBytes = 512
      put(512, at: 8, in: &log)
    }
    var sums: (UInt32, UInt32) = (0, 0)
    add(log[..<24], isBigEndian, to: &sums)
    put(sums.0, at: 24, in: &log)
    put(sums.1, at: 28, in: &log)
    let salt = Array(log[16..<24])
    var frame = 32
    while frame + 24 + pageBytes <= log.count {
      log.replaceSubrange(frame + 8..<frame + 16, with: salt)
      add(log[frame..<frame + 8], isBigEndian, to: &sums)
      add(log[frame + 24..<frame + 24 + pageBytes], isBigEndian, to: &sums)
      put(sums.0, at: frame + 16, in: &log)
      put(sums.1, at: frame + 20, in: &log)
      frame += 24 + pageBytes
    }
  }

  private static func put(_ number: UInt32, at offset: Int, in bytes: inout [UInt8]) {
    for index in 0..<4 {
      bytes[offset + index] = UInt8(truncatingIfNeeded: number >> (24 - 8 * index))
    }
  }

  private static func add(
    _ bytes: ArraySlice<UInt8>, _ isBigEndian: Bool, to sums: inout (UInt32, UInt32)
  ) {
    func word(_ start: Int) -> UInt32 {
      let four = Array(bytes[start..<start + 4])
      return (isBigEndian ? four : four.reversed()).reduce(0) { $0 << 8 | UInt32($1) }
    }
    for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: 8) {
      sums.0 &+= word(start) &+ sums.1
      sums.1 &+= word(start + 4) &+ sums.0
    }
  }
}
