import Foundation
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// The profile to which a store belongs.
@Suite struct StoreProfileTests {
  private let folder: TemporaryFolder
  private let path: String
  private let first = String(repeating: "1", count: 32)
  private let second = String(repeating: "2", count: 32)

  init() throws {
    folder = try TemporaryFolder()
    path = folder.file("store.sqlite")
  }

  private func open(
    _ profile: String?, creating: Bool = true, lazily isLazy: Bool = false
  ) throws(DatabaseError) -> Store {
    var options = StoreOptions()
    options.profileID = profile
    options.isMadeByFirstChange = isLazy
    return try Store(path: path, creating: creating, options: options)
  }

  private func id() throws -> String? { try open(nil).profileID() }

  @Test func `a store without a profile belongs to the first one that opens it`() throws {
    _ = try open(nil)
    #expect(try id() == nil)
    #expect(try open(first).profileID() == first)
    #expect(try id() == first)
    #expect(try open(first).profileID() == first)
  }

  @Test func `another profile is refused, and the store is not changed`() throws {
    do { _ = try open(first) }
    let before = FileManager.default.contents(atPath: path)
    for isCreating in [false, true] {
      #expect(throws: DatabaseError.refused(path: path, .otherProfile)) {
        try open(second, creating: isCreating)
      }
    }
    #expect(FileManager.default.contents(atPath: path) == before)
    #expect(try id() == first)
  }

  @Test func `a store that its first change creates belongs to that profile`() throws {
    do {
      let store = try open(first, lazily: true)
      #expect(!FileManager.default.fileExists(atPath: path))
      try store.write { _ in }
    }
    #expect(try id() == first)
    // Another profile's process created the file between opening and the first change.
    try FileManager.default.removeItem(atPath: path)
    let late = try open(second, lazily: true)
    do { _ = try open(first) }
    #expect(throws: DatabaseError.refused(path: path, .otherProfile)) { try late.write { _ in } }
    #expect(try id() == first)
  }

  @Test func `a store that can only be read is checked too, and stays unclaimed`() throws {
    do { _ = try open(first) }
    // With two names a store is read and not changed.
    try FileManager.default.linkItem(atPath: path, toPath: folder.file("other name"))
    #expect(throws: DatabaseError.refused(path: path, .otherProfile)) { try open(second) }
    #expect(try open(first).profileID() == first)
    try FileManager.default.removeItem(atPath: folder.file("other name"))
    try FileManager.default.removeItem(atPath: path)
    do { _ = try open(nil) }
    try FileManager.default.linkItem(atPath: path, toPath: folder.file("other name"))
    #expect(try open(second).profileID() == nil)
  }

  @Test func `while another process writes, an unclaimed store can be read`() throws {
    do { _ = try open(nil) }
    let writer = try Connection(path: path, flags: 2)
    try writer.execute("BEGIN IMMEDIATE")
    #expect(try open(first).profileID() == nil)
    try writer.execute("ROLLBACK")
    #expect(try open(first).profileID() == first)
  }

  @Test func `a backup carries the profile`() throws {
    let copy = folder.file("copy.sqlite")
    try open(first).backup(to: copy)
    #expect(try Store(path: copy, creating: false).profileID() == first)
  }

  @Test func `a store whose table of the profile is missing opens for repair only`() throws {
    do { _ = try open(first) }
    do {
      let connection = try Connection(path: path, flags: 2)
      try connection.execute("DROP TABLE profile")
    }
    #expect(throws: DatabaseError.self) { try open(first) }
    var options = StoreOptions()
    options.profileID = first
    options.acceptsAlteredSchema = true
    _ = try Store(path: path, creating: false, options: options)
  }
}
