import Foundation
import Geodesy
import TestSupport
import Testing

@testable import Profiles

/// Profiles on disk.
@Suite struct ProfileFolderTests {
  private let bench: ProfileBench
  private var folder: ProfileFolder { bench.folder }

  init() throws { bench = try ProfileBench() }

  /// The first profile with files, and the profile `work` with files.
  private func makeTwo() throws {
    try bench.writeFiles(of: "default")
    _ = try folder.create(named: "work")
    try bench.writeFiles(of: "work")
  }

  @Test func `without profiles nothing is there, and looking creates nothing`() throws {
    #expect(try folder.registry() == nil)
    #expect(try folder.use().profile == nil)
    #expect(try folder.registryOrFirst().profiles.map(\.name) == ["default"])
    #expect(!FileManager.default.fileExists(atPath: bench.path))
  }

  @Test func `the store that was there becomes the first profile, and stays where it is`() throws {
    try bench.write("old store", to: "store.sqlite")
    let work = try folder.create(named: "work")
    let registry = try #require(try folder.registry())
    #expect(registry.profiles.map(\.name) == ["default", "work"])
    #expect(registry.selected.name == "default")
    let use = try folder.use()
    #expect(use.storePath == bench.file("store.sqlite"))
    #expect(bench.text(use.storePath) == "old store")
    #expect(folder.storePath(of: work) == bench.file("profiles/\(work.id.text)/store.sqlite"))
  }

  @Test func `the first profile takes the id that its store carries`() throws {
    let id = ProfileID()
    try bench.write("\(id.text) is the first word", to: "store.sqlite")
    _ = try folder.create(named: "work")
    #expect(try folder.registryOrFirst().selected.id == id)
  }

  @Test func `switching selects the other store, and back`() throws {
    try makeTwo()
    let (left, selected) = try folder.switch(to: "work")
    #expect(left.name == "default" && selected.name == "work")
    #expect(bench.text(try folder.use().storePath) == "store.sqlite of work")
    _ = try folder.switch(to: "default")
    #expect(bench.text(try folder.use().storePath) == "store.sqlite of default")
    let before = bench.everything()
    let again = try folder.switch(to: "DEFAULT", leaving: .eraseNow)
    #expect(again.left == again.selected, "the selected profile is not left")
    #expect(bench.everything() == before)
  }

  @Test(arguments: ["default", "work"])
  func `an erased profile comes back with all its files`(name: String) throws {
    try makeTwo()
    let other = name == "work" ? "default" : "work"
    _ = try folder.switch(to: other)
    let id = try folder.registryOrFirst().profile(name).id
    _ = try folder.remove(name)
    var seen = try bench.seen()
    let files = ["store.sqlite", "store.sqlite-wal", "keys/one"].map { "\($0) of \(name)" }
    #expect(seen.profiles.keys.sorted() == [other])
    #expect(seen.erased == [name: files])
    let recovered = try folder.recover(name)
    #expect(recovered.id == id)
    seen = try bench.seen()
    #expect(seen.profiles[name] == files)
    #expect(seen.erased.isEmpty)
    #expect(seen.selected == other)
  }

  @Test func `erasing the first profile moves its files and no others`() throws {
    try makeTwo()
    let more = ["store.sqlite.tokens", "store.sqlite.inbox", "store.sqlite.inbox-wal"]
    let others = ["store.sqlite.copy", "notes.txt", "store.sqlite2"]
    for name in more + others { try bench.write(name, to: name) }
    _ = try folder.switch(to: "work", leaving: .erase)
    let left = bench.everything().filter { !$0.hasPrefix("profiles") }
    #expect(left == others.sorted())
    let entry = try #require(try folder.registry()?.erased.first)
    for name in more { #expect(bench.text(folder.erasedFolder(entry) + "/" + name) == name) }
  }

  @Test func `an erased profile is deleted after 24 hours by the next use`() throws {
    try makeTwo()
    _ = try folder.remove("work")
    bench.pass(seconds: 86_399)
    _ = try folder.use()
    #expect(try bench.seen().erased.keys.sorted() == ["work"])
    bench.pass(seconds: 1)
    _ = try folder.use()
    #expect(try bench.seen().erased.isEmpty)
    #expect(bench.everything().filter { $0.hasPrefix("profiles/") } == ["profiles/erased"])
    #expect(
      profileError { _ = try folder.recover("work") } == .noSuchErasedProfile(selector: "work"))
  }

  @Test func `a clock that goes back keeps an erased profile`() throws {
    try makeTwo()
    _ = try folder.remove("work")
    bench.pass(seconds: -1_000_000)
    _ = try folder.use()
    _ = try folder.recover("work")
    #expect(try bench.seen().profiles["work"]?.count == 3)
  }

  @Test func `erased at once, a profile is gone`() throws {
    try makeTwo()
    _ = try folder.remove("work", now: true)
    #expect(try bench.seen().erased.isEmpty)
    #expect(bench.everything().filter { $0.hasPrefix("profiles/") } == ["profiles/erased"])
    // An erased profile can be deleted for good before its time.
    try bench.write("x", to: "y")
    _ = try folder.create(named: "third")
    try bench.writeFiles(of: "third")
    _ = try folder.remove("third")
    #expect(throws: ProfileError.self) { try folder.remove("third") }
    _ = try folder.remove("third", now: true)
    #expect(bench.everything().filter { $0.hasPrefix("profiles/") } == ["profiles/erased"])
  }

  @Test func `the selected profile is not removed, unless it is the last`() throws {
    try makeTwo()
    #expect(profileError { _ = try folder.remove("default") } == .isSelected(name: "default"))
    _ = try folder.remove("work")
    _ = try folder.remove("default")
    let seen = try bench.seen()
    #expect(seen.selected == "default" && seen.profiles == ["default": []])
    #expect(seen.erased.keys.sorted() == ["default", "work"])
    let use = try folder.use()
    #expect(use.storePath != folder.firstStorePath)
    // The new one has the name of the old one.
    #expect(profileError { _ = try folder.recover("default") } == .nameTaken(name: "default"))
    _ = try folder.recover("default", named: "old")
    #expect(try bench.seen().profiles["old"]?.count == 3)
  }

  @Test func `removing the only profile before there are profiles leaves an empty one`() throws {
    try bench.writeFiles(of: "default")
    _ = try folder.remove("default")
    #expect(try bench.seen().profiles == ["default": []])
    #expect(try bench.seen().erased["default"]?.count == 3)
  }

  @Test func `a profile that is in use is not erased`() throws {
    try makeTwo()
    let before = try bench.seen()
    do {
      let use = try folder.use()
      #expect(
        profileError { _ = try folder.switch(to: "work", leaving: .erase) }
          == .inUse(name: "default", reason: nil))
      #expect(try bench.seen() == before)
      withExtendedLifetime(use) {}
    }
    _ = try folder.switch(to: "work")
    bench.use("it is open")
    #expect(
      profileError { _ = try folder.remove("default") }
        == .inUse(name: "default", reason: "it is open"))
    bench.use(nil)
    #expect(try bench.seen().profiles == before.profiles)
  }

  @Test func `a store that was in use before there were profiles is not erased`() throws {
    try bench.writeFiles(of: "default")
    do {
      let use = try folder.use()
      #expect(use.profile == nil && use.storePath == folder.firstStorePath)
      #expect(bench.everything().contains("store.sqlite"))
      _ = try folder.create(named: "work", selecting: true)
      #expect(
        profileError { _ = try folder.remove("default") } == .inUse(name: "default", reason: nil))
      withExtendedLifetime(use) {}
    }
    _ = try folder.remove("default")
  }

  @Test func `bringing in order deletes what is over, and says what cannot be deleted`() throws {
    try makeTwo()
    try folder.tidy()
    _ = try folder.remove("work")
    try folder.tidy()
    #expect(try bench.seen().erased.count == 1)
    bench.pass(seconds: 86_400)
    bench.kill(after: 0)
    #expect(throws: ProfileError.self) { try folder.tidy() }
    bench.kill(after: nil)
    try folder.tidy()
    #expect(try bench.seen().erased.isEmpty)
  }

  @Test func `only the profile is erased about which somebody was asked`() throws {
    try makeTwo()
    _ = try folder.create(named: "third")
    let asked = try folder.registryOrFirst().selectedID
    _ = try folder.switch(to: "third")
    let before = try bench.seen()
    #expect(
      profileError { _ = try folder.switch(to: "work", from: asked, leaving: .eraseNow) }
        == .selectionChanged(name: "third"))
    #expect(try bench.seen() == before)
  }

  @Test func `once a use ends, the profile can be erased`() throws {
    try makeTwo()
    do { _ = try folder.use() }
    _ = try folder.switch(to: "work", leaving: .erase)
    #expect(try bench.seen().selected == "work")
  }

  @Test func `a profile whose store is a symbolic link is not erased`() throws {
    try bench.write("elsewhere", to: "elsewhere")
    try FileManager.default.createSymbolicLink(
      atPath: bench.file("store.sqlite"), withDestinationPath: bench.file("elsewhere"))
    _ = try folder.create(named: "work")
    let error = profileError { _ = try folder.switch(to: "work", leaving: .eraseNow) }
    #expect(error == .linked(name: "default", path: bench.file("store.sqlite")))
    #expect(bench.text(bench.file("elsewhere")) == "elsewhere")
    #expect(try folder.registryOrFirst().selected.name == "default")
  }

  @Test func `deleting a profile leaves what its symbolic links name`() throws {
    try makeTwo()
    let work = try folder.registryOrFirst().profile("work")
    try bench.write("kept", to: "other/kept")
    try FileManager.default.createSymbolicLink(
      atPath: folder.folder(of: work) + "/a link", withDestinationPath: bench.file("other"))
    _ = try folder.remove("work", now: true)
    #expect(bench.text(bench.file("other/kept")) == "kept")
  }

  @Test func `files that cannot be moved undo the change`() throws {
    try makeTwo()
    let before = try bench.seen()
    let listed = bench.text(bench.file("profiles.json"))
    // A file where the folder of erased profiles would be.
    try bench.write("in the way", to: "profiles/erased")
    let error = profileError { _ = try folder.switch(to: "work", leaving: .erase) }
    guard case .file? = error else { throw error ?? .canceled }
    #expect(try bench.seen() == before)
    #expect(bench.text(bench.file("profiles.json")) == listed)
  }

  @Test func `files of another program at the place of an erased profile stay`() throws {
    try makeTwo()
    let work = try folder.registryOrFirst().profile("work")
    _ = try folder.remove("work")
    try bench.write("foreign", to: "profiles/\(work.id.text)/store.sqlite")
    try bench.write("foreign", to: "store.sqlite.tokens")
    _ = try folder.create(named: "third")
    #expect(bench.text(folder.ownFolder(work.id) + "/store.sqlite") == "foreign")
    #expect(try bench.seen().erased["work"]?.count == 3)
    guard case .file? = profileError({ _ = try folder.recover("work") }) else {
      throw ProfileError.canceled
    }
    #expect(try bench.seen().erased["work"]?.count == 3)
  }

  @Test func `a list of a newer version is not touched`() throws {
    try makeTwo()
    let newer = #"{"version": 2, "profiles": "unknown"}"#
    try bench.write(newer, to: "profiles.json")
    let error = ProfileError.newerVersion(path: bench.file("profiles.json"))
    #expect(profileError { _ = try folder.use() } == error)
    #expect(profileError { _ = try folder.create(named: "x") } == error)
    #expect(profileError { _ = try folder.repair() } == error)
    #expect(bench.text(bench.file("profiles.json")) == newer)
  }

  @Test func `threads that create profiles at the same time all succeed`() async throws {
    let folder = folder
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<24 {
        group.addTask { _ = try folder.create(named: "p\(number)", selecting: number % 3 == 0) }
      }
      try await group.waitForAll()
    }
    let registry = try #require(try folder.registry())
    #expect(Set(registry.profiles.map(\.name)) == Set(["default"] + (0..<24).map { "p\($0)" }))
    #expect(Set(registry.profiles.map(\.id)).count == 25)
  }
}
