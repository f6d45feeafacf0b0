import Foundation
import FuzzSupport
@testable import Geodesy
@testable import Roqua

@testable import GeoStore
@testable import SQLiteLayer

/// Stores with modified values or bytes: every query and every change succeeds or throws an error
/// of the library.
///
/// The choice selects the number of statements that change values (bits 0 to 2), the number of
/// changed bytes (bits 3 and 4), and what follows (bits 5 to 7): the store is checked (4), changed
/// (more than 4), or only queried. The body selects the values, the offsets and values of bytes,
/// and the change. `Tests/RoquaTests/ForgedStoreTests.swift` does the same with random numbers.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzStore(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  var rest = input.body[...]
  func pick(_ count: Int) -> Int { Int(rest.popFirst() ?? 0) % count }

  FuzzedStore.write(FuzzedStore.original)
  for _ in 0..<input.choice & 7 { FuzzedStore.execute(StoreForger.statement(pick)) }
  if input.choice >> 3 & 3 > 0 {
    var bytes = FuzzedStore.read()
    for _ in 0..<input.choice >> 3 & 3 {
      // Most of what SQLite reads is at the start of a page.
      let page = pick(256) * 4_096 % max(1, bytes.count)
      let place = page + (pick(2) == 0 ? pick(256) : pick(16) * 256 + pick(256))
      if place < bytes.count { bytes[place] = UInt8(pick(256)) }
    }
    FuzzedStore.write(bytes)
  }
  guard let questions = StoreQuestions(storePath: FuzzedStore.path, around: FuzzedStore.places)
  else { return 0 }
  switch input.choice >> 5 {
  case 0...3: break
  case 4: questions.check()
  default: questions.change(pick(StoreQuestions.changeCount))
  }
  questions.askAll()
  require(questions.complaints.isEmpty, "\(questions.complaints)")
  return 0
}

/// The file that is changed, and its original contents.
private enum FuzzedStore {
  /// Positions far from land and cities, where places are looked up quickly, on both sides of
  /// ±180°.
  static let places = [(30, -40), (-20, 179.9999), (30.001, -40.002)].compactMap {
    try? Coordinate(latitudeDegrees: $0, longitudeDegrees: $1)
  }

  /// In memory if the system has a folder for that.
  private static let folder: String = {
    let base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
    let folder = base + "/roqua-fuzz-store-\(getpid())"
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(atPath: FuzzedStore.folder) }
    return folder
  }()

  static let path = folder + "/s.sqlite"

  /// The bytes of a store with a source of each kind.
  static let original: [UInt8] = {
    do {
      try StoreQuestions.fill(Explorer(storePath: path).store, around: places)
    } catch {
      fatalError("\(error)")
    }
    return read()
  }()

  static func read() -> [UInt8] { [UInt8](FileManager.default.contents(atPath: path) ?? Data()) }

  /// Writes the file, and removes SQLite's files next to it.
  static func write(_ bytes: [UInt8]) {
    for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
    require(FileManager.default.createFile(atPath: path, contents: Data(bytes)), "no file")
  }

  /// Runs a statement on the file; one that SQLite rejects changes nothing.
  static func execute(_ sql: String) {
    let readWrite: Int32 = 2  // SQLITE_OPEN_READWRITE
    guard let connection = try? Connection(path: path, flags: readWrite) else { return }
    try? connection.execute("PRAGMA ignore_check_constraints = ON")
    try? connection.execute(sql)
  }
}
