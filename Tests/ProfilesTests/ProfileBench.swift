import ByteStreams
import Foundation
import Geodesy
import SeededRandom
import Synchronization
import TestSupport
import Testing

@testable import Profiles

/// A data folder for one test, with a clock and identifications that are the same in every run.
final class ProfileBench: Sendable {
  /// What the hooks share.
  private struct State {
    var milliseconds: Int64 = 1_700_000_000_000
    var random = SplitMix64(seed: 1)
    /// The number of changes on disk that still happen; nil for all.
    var changesLeft: Int?
    var changes = 0
    var reasonInUse: String?
  }

  private let state = Mutex(State())
  /// Sound: a constant of which other threads only form paths; it is freed with the bench.
  nonisolated(unsafe) private let temporary: TemporaryFolder
  /// The data folder. It does not exist at first.
  let path: String

  init() throws {
    temporary = try TemporaryFolder()
    path = temporary.file("data")
  }

  /// The profiles, as a program sees them that starts now.
  var folder: ProfileFolder {
    var hooks = ProfileHooks()
    hooks.now = { [self] in
      Timestamp(millisecondsSince1970: state.withLock { $0.milliseconds })
    }
    hooks.makeID = { [self] in state.withLock { ProfileID(using: &$0.random) } }
    hooks.reasonInUse = { [self] _ in state.withLock { $0.reasonInUse } }
    hooks.storeID = { path in
      // The stores of these tests are texts: the first word may be an identification.
      let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
      return text.split(separator: " ").first.flatMap { ProfileID(String($0)) }
    }
    hooks.willChange = { [self] () throws(ProfileError) in
      let isKilled = state.withLock { state in
        guard state.changesLeft != 0 else { return true }
        state.changesLeft = state.changesLeft.map { $0 - 1 }
        state.changes += 1
        return false
      }
      if isKilled { throw .file(path: "killed", reason: "killed") }
    }
    return ProfileFolder(path: path, hooks: hooks)
  }

  /// Lets time pass.
  func pass(seconds: Int) { state.withLock { $0.milliseconds += Int64(seconds) * 1_000 } }

  /// Makes another program use all stores; nil ends that.
  func use(_ reason: String?) { state.withLock { $0.reasonInUse = reason } }

  /// Ends the program after a number of changes; nil lets it live.
  func kill(after changes: Int?) {
    state.withLock { state in
      state.changesLeft = changes
      state.changes = 0
    }
  }

  /// The number of changes since the last call of ``kill(after:)``.
  var changes: Int { state.withLock { $0.changes } }

  /// The path of a file in the data folder.
  func file(_ name: String) -> String { path + "/" + name }

  /// Writes a text into the data folder.
  func write(_ text: String, to name: String) throws {
    try temporary.write(text, to: "data/\(name)")
  }

  /// Writes a store, its log and a key of the profile with a name.
  func writeFiles(of name: String) throws {
    let profile = try folder.registryOrFirst().profile(name)
    let place = folder.folder(of: profile).dropFirst(path.count)
    for file in ["store.sqlite", "store.sqlite-wal", "keys/one"] {
      try write("\(file) of \(name)", to: "\(place)/\(file)")
    }
  }

  /// A text file of the data folder; nil if there is none.
  func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

  /// Everything that a person sees: the profiles with their files, the erased ones with theirs.
  func seen() throws -> Seen {
    let registry = try folder.registryOrFirst()
    return Seen(
      selected: registry.selected.name,
      profiles: Dictionary(
        uniqueKeysWithValues: registry.profiles.map {
          ($0.name, files(folder.folder(of: $0)))
        }),
      erased: Dictionary(
        uniqueKeysWithValues: registry.erased.map {
          ($0.profile.name, files(folder.erasedFolder($0)))
        }))
  }

  /// What a person sees of the profiles.
  struct Seen: Equatable {
    let selected: String
    let profiles: [String: [String]]
    let erased: [String: [String]]
  }

  private func files(_ folder: String) -> [String] {
    ["store.sqlite", "store.sqlite-wal", "keys/one"].compactMap { text(folder + "/" + $0) }
  }

  /// All files and folders below the data folder, except locks.
  func everything() -> [String] {
    (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? [])
      .filter { $0 != "profiles.lock" }.sorted()
  }
}

/// The error that `body` throws.
func profileError(_ body: () throws -> Void) -> ProfileError? {
  do {
    try body()
    return nil
  } catch {
    return error as? ProfileError
  }
}
