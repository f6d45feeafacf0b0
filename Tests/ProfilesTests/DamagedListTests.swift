import Foundation
import TestSupport
import Testing

@testable import Profiles

/// A damaged list of profiles is an error, and never a reason to use another store; nothing of any
/// profile is lost.
@Suite struct DamagedListTests {
  private let bench: ProfileBench
  private var folder: ProfileFolder { bench.folder }
  private let whole: [UInt8]

  init() throws {
    bench = try ProfileBench()
    let folder = bench.folder
    for name in ["default", "work", "old"] {
      if name != "default" { _ = try folder.create(named: name) }
      try bench.writeFiles(of: name)
    }
    _ = try folder.switch(to: "work")
    _ = try folder.remove("old")
    whole = Array(try Data(contentsOf: URL(fileURLWithPath: bench.file("profiles.json"))))
  }

  private func cut(_ name: String, to count: Int) throws {
    try Data(whole.prefix(count)).write(to: URL(fileURLWithPath: bench.file(name)))
  }

  @Test func `cut short at any byte, it is reported, and its copy restores it`() throws {
    let before = try bench.seen()
    for count in 0..<whole.count - 1 {
      try cut("profiles.json", to: count)
      for attempt in [
        { _ = try folder.use() }, { _ = try folder.create(named: "x") },
        { _ = try folder.switch(to: "default") }, { _ = try folder.remove("work") },
      ] {
        guard case .damaged(let path, _)? = profileError(attempt) else {
          Issue.record("\(count) bytes are not reported")
          return
        }
        #expect(path == bench.file("profiles.json"))
      }
      // A repair waits for the disk.
      guard count % 9 == 0 || count > whole.count - 9 else { continue }
      let repair = try #require(try folder.repair())
      #expect(repair.origin == .copy && repair.found.isEmpty && repair.isChanged)
      #expect(try bench.seen() == before, "\(count) bytes")
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: bench.file("profiles.damaged.json")))
          == Data(whole.prefix(count)))
    }
  }

  @Test func `a missing list is damage, and its copy restores it`() throws {
    let before = try bench.seen()
    try FileManager.default.removeItem(atPath: bench.file("profiles.json"))
    #expect(throws: ProfileError.self) { try folder.use() }
    #expect(try #require(try folder.repair()).origin == .copy)
    #expect(try bench.seen() == before)
  }

  @Test func `without a readable copy, the folders show all profiles`() throws {
    let ids = try folder.registryOrFirst().profiles.map(\.id)
    try bench.write("\(ids[0].text) store of the first", to: "store.sqlite")
    for count in [0, 1, whole.count / 2, whole.count - 2] {
      try cut("profiles.json", to: count)
      try cut("profiles.copy.json", to: count)
      let repair = try #require(try folder.repair())
      #expect(repair.origin == .folders)
      #expect(Set(repair.registry.profiles.map(\.id)) == Set(ids))
      #expect(repair.registry.selectedID == ids[0])
      #expect(repair.registry.erased.count == 1)
      let names = repair.registry.profiles.map(\.name)
      #expect(names == ["default", "recovered-\(ids[1].text.prefix(8))"])
      let recovered = try #require(repair.registry.profiles.last)
      #expect(bench.text(folder.storePath(of: recovered)) == "store.sqlite of work")
      let erased = try #require(repair.registry.erased.first?.profile.name)
      _ = try folder.recover(erased)
      #expect(try bench.seen().profiles[erased]?.first == "store.sqlite of old")
      _ = try folder.remove(erased)
    }
  }

  @Test func `a profile that the copy does not have is found by its folder`() throws {
    let old = try Data(contentsOf: URL(fileURLWithPath: bench.file("profiles.copy.json")))
    _ = try folder.create(named: "new")
    try bench.writeFiles(of: "new")
    let id = try folder.registryOrFirst().profile("new").id
    try old.write(to: URL(fileURLWithPath: bench.file("profiles.copy.json")))
    try bench.write("{", to: "profiles.json")
    let repair = try #require(try folder.repair())
    #expect(repair.origin == .copy)
    #expect(repair.found.map(\.id) == [id])
    #expect(try bench.seen().selected == "work")
  }

  @Test func `a whole list needs no repair`() throws {
    let before = bench.everything()
    let repair = try #require(try folder.repair())
    #expect(repair.origin == .list && !repair.isChanged && repair.found.isEmpty)
    #expect(bench.everything() == before)
    let other = try ProfileBench()
    #expect(try other.folder.repair() == nil)
  }
}
