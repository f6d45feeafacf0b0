import Foundation
import StoreSync
import TestSupport
import Testing

/// What says that a folder or a store has changed.
@Suite struct FolderMarkTests {
  private static let entry = SyncDirectoryEntry(
    name: "a", byteCount: 9, modifiedMilliseconds: 5)

  private func mark(_ entries: [SyncDirectoryEntry], in folder: String = "keys") -> FolderMark {
    FolderMark([folder: entries])
  }

  @Test func `names, sizes, times and folders make a difference, and the order does not`() {
    var (renamed, grown, later, link) = (Self.entry, Self.entry, Self.entry, Self.entry)
    renamed.name = "b"
    grown.byteCount = 10
    later.modifiedMilliseconds = 6
    link.isFile = false
    let all = [Self.entry, renamed, grown, later, link]
    #expect(Set(all.map { mark([$0]) }).count == all.count)
    #expect(mark([Self.entry]) != mark([Self.entry], in: "devices"))
    #expect(mark([Self.entry]) != mark([]))
    #expect(mark([Self.entry, Self.entry]) != mark([Self.entry]))
    #expect(mark([Self.entry, renamed]) == mark([renamed, Self.entry]))
  }

  @Test func `a file that is being written and the time of a folder make none`() {
    let partial = SyncDirectoryEntry(
      name: LocalSyncDirectory.partialPrefix + "0", byteCount: 1, modifiedMilliseconds: 1)
    #expect(mark([Self.entry, partial]) == mark([Self.entry]))
    var (folder, later) = (Self.entry, Self.entry)
    (folder.isFile, later.isFile) = (false, false)
    later.modifiedMilliseconds = 6
    #expect(mark([folder]) == mark([later]))
  }

  @Test func `a folder in the file system has a mark, and a missing one has none`() throws {
    let folder = try TemporaryFolder()
    let directory = LocalSyncDirectory(path: folder.file("shared"))
    #expect(directory.mark() == nil)
    try directory.create()
    let empty = directory.mark()
    #expect(empty != nil && directory.mark() == empty)
    try directory.write([1], to: "000001-0123456789abcdef.age", in: "keys")
    let one = directory.mark()
    #expect(one != nil && one != empty)
    try directory.remove("000001-0123456789abcdef.age", in: "keys")
    #expect(directory.mark() != one)
  }

  @Test func `a store that is made, written or replaced has another mark`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("store.sqlite")
    let missing = StoreMark(storePath: path)
    #expect(missing == StoreMark(storePath: path))
    try folder.write("a", to: "store.sqlite")
    let made = StoreMark(storePath: path)
    #expect(made != missing)
    try folder.write("", to: "store.sqlite-wal")
    #expect(StoreMark(storePath: path) == made, "an empty log says nothing")
    try folder.write("b", to: "store.sqlite-wal")
    let logged = StoreMark(storePath: path)
    #expect(logged != made)
    try folder.write("bc", to: "store.sqlite-wal")
    #expect(StoreMark(storePath: path) != logged)
    let before = StoreMark(storePath: path)
    try folder.write("a", to: "other")
    _ = unlink(path)
    try FileManager.default.moveItem(atPath: folder.file("other"), toPath: path)
    #expect(StoreMark(storePath: path) != before)
  }
}
