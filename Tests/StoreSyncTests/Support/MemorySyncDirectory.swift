import StoreSync
import Synchronization
import TestSupport

/// A sync folder in memory, with everything that can go wrong with one.
///
/// Several of them are the replicas of one folder on several devices; ``MemoryCloud`` carries files
/// between them.
final class MemorySyncDirectory: SyncDirectory {
  /// A file, its place and what it contains.
  struct Place: Hashable, Comparable {
    var folder: String
    var name: String

    static func < (left: Place, right: Place) -> Bool {
      (left.folder, left.name) < (right.folder, right.name)
    }
  }

  struct File: Hashable {
    var bytes: [UInt8]
    var modifiedMilliseconds: Int64 = 0
  }

  /// What goes wrong.
  struct Faults {
    /// The number of operations that succeed before the device is "killed": that one and all later
    /// ones throw, until it is set again. A killed write leaves half a file with another name.
    var operationsUntilKill: Int?
    /// The number of operations that succeed before one fails; later ones succeed again.
    var operationsUntilFailure: Int?
    /// Writes that succeed are lost: 1 of so many, by a random number.
    var lostWrites: Int?
    /// Whether the folder is not there, like a stick that is not plugged in.
    var isMissing = false
  }

  private struct State {
    var files: [Place: File] = [:]
    var faults = Faults()
    var random = SplitMix64(seed: 0)
    var operations = 0
    var reads: [Place] = []
  }

  private let state: Mutex<State>

  init(seed: UInt64 = 0) {
    var state = State()
    state.random = SplitMix64(seed: seed)
    self.state = Mutex(state)
  }

  /// The files, to look at and to change by hand.
  var files: [Place: File] {
    get { state.withLock { $0.files } }
    set { state.withLock { $0.files = newValue } }
  }

  /// What goes wrong from now on.
  var faults: Faults {
    get { state.withLock { $0.faults } }
    set { state.withLock { $0.faults = newValue } }
  }

  /// The number of operations so far.
  var operations: Int { state.withLock { $0.operations } }

  /// The files that were read since the last call.
  func takeReads() -> [Place] {
    state.withLock { state in
      defer { state.reads = [] }
      return state.reads
    }
  }

  func entries(of folder: String) throws(SyncDirectoryError) -> [SyncDirectoryEntry] {
    let result = state.withLock { state -> Result<[SyncDirectoryEntry], SyncDirectoryError> in
      if let error = Self.fault(&state, "\(folder)") { return .failure(error) }
      var entries = state.files.filter { $0.key.folder == folder }.map { place, file in
        SyncDirectoryEntry(
          name: place.name, byteCount: file.bytes.count,
          modifiedMilliseconds: file.modifiedMilliseconds)
      }
      if folder.isEmpty {
        for name in Set(state.files.keys.map(\.folder)) where !name.isEmpty {
          entries.append(
            SyncDirectoryEntry(name: name, byteCount: 0, modifiedMilliseconds: 0, isFile: false))
        }
      }
      // In no order that anybody could rely on.
      return .success(entries.shuffled(using: &state.random))
    }
    return try result.get()
  }

  func read(_ name: String, in folder: String, limit: Int) throws(SyncDirectoryError) -> [UInt8] {
    let path = "\(folder)/\(name)"
    let result = state.withLock { state -> Result<[UInt8], SyncDirectoryError> in
      if let error = Self.fault(&state, path) { return .failure(error) }
      state.reads.append(Place(folder: folder, name: name))
      guard let file = state.files[Place(folder: folder, name: name)] else {
        return .failure(.missing(path: path))
      }
      guard file.bytes.count <= limit else {
        return .failure(.tooLarge(path: path, limit: limit))
      }
      return .success(file.bytes)
    }
    return try result.get()
  }

  func write(_ bytes: [UInt8], to name: String, in folder: String) throws(SyncDirectoryError) {
    let path = "\(folder)/\(name)"
    let error = state.withLock { state -> SyncDirectoryError? in
      let place = Place(folder: folder, name: name)
      if let error = Self.fault(&state, path) {
        if state.faults.operationsUntilKill != nil {
          let partial = "\(LocalSyncDirectory.partialPrefix)\(state.operations)"
          state.files[Place(folder: folder, name: partial)] = File(
            bytes: Array(bytes.prefix(bytes.count / 2)))
        }
        return error
      }
      if let present = state.files[place] {
        return present.bytes == bytes ? nil : .exists(path: path)
      }
      if let share = state.faults.lostWrites,
        Int.random(in: 0..<share, using: &state.random) == 0
      {
        return nil
      }
      state.files[place] = File(bytes: bytes)
      return nil
    }
    if let error { throw error }
  }

  func remove(_ name: String, in folder: String) throws(SyncDirectoryError) {
    let error = state.withLock { state -> SyncDirectoryError? in
      if let error = Self.fault(&state, "\(folder)/\(name)") { return error }
      state.files[Place(folder: folder, name: name)] = nil
      return nil
    }
    if let error { throw error }
  }

  /// Counts an operation, and returns what goes wrong with it.
  private static func fault(_ state: inout State, _ path: String) -> SyncDirectoryError? {
    state.operations += 1
    if state.faults.isMissing { return .missing(path: path) }
    if let left = state.faults.operationsUntilKill {
      guard left > 0 else { return .failed(path: path, reason: "the process was killed") }
      state.faults.operationsUntilKill = left - 1
    }
    if let left = state.faults.operationsUntilFailure {
      state.faults.operationsUntilFailure = left > 0 ? left - 1 : nil
      if left == 0 { return .failed(path: path, reason: "the disk is full") }
    }
    return nil
  }
}

/// Carries files between the replicas of a sync folder: late, twice, half, under other names, and
/// in any order, as real programs do.
struct MemoryCloud {
  typealias Place = MemorySyncDirectory.Place

  let replicas: [MemorySyncDirectory]
  /// The removals that were seen, so that a removed file does not come back by itself.
  private var known: [Place: MemorySyncDirectory.File] = [:]
  private var removed: Set<Place> = []

  init(replicas: [MemorySyncDirectory]) { self.replicas = replicas }

  /// Carries some files to some replicas. What arrives may be a placeholder, half a file, a second
  /// copy under another name, or much later.
  mutating func carry(using random: inout SplitMix64) {
    noteChanges()
    for replica in replicas {
      var files = replica.files
      for place in removed where Bool.random(using: &random) { files[place] = nil }
      for (place, file) in known.sorted(by: { $0.key < $1.key }) {
        if removed.contains(place) || files[place]?.bytes == file.bytes { continue }
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3: files[place] = file
        case 4:
          files[Place(folder: place.folder, name: ".\(place.name).icloud")] = .init(bytes: [
            98, 112,
          ])
        case 5:
          files[Place(folder: place.folder, name: ".syncthing.\(place.name).tmp")] = .init(
            bytes: Array(file.bytes.prefix(file.bytes.count / 2)))
        case 6:
          let stem = place.name.dropLast(4)
          let mark = ["(1)", "2", "(X's conflicted copy 2024-05-01)"].randomElement(using: &random)
          files[Place(folder: place.folder, name: "\(stem) \(mark ?? "").age")] = file
        case 7: files[place] = .init(bytes: Array(file.bytes.prefix(file.bytes.count / 2)))
        default: break
        }
      }
      replica.files = files
    }
  }

  /// Carries everything everywhere, and clears away what was half done.
  mutating func settle() {
    noteChanges()
    for replica in replicas {
      var files = replica.files
      for place in removed { files[place] = nil }
      for place in files.keys {
        if case .placeholder = FoundName(place.name, in: place.folder) { files[place] = nil }
        if case .arriving = FoundName(place.name, in: place.folder) { files[place] = nil }
      }
      for (place, file) in known where !removed.contains(place) { files[place] = file }
      replica.files = files
    }
  }

  /// Notes what devices wrote and removed since the last time. Only whole files with their own
  /// names are carried.
  private mutating func noteChanges() {
    for replica in replicas {
      for (place, file) in replica.files {
        guard case .file = FoundName(place.name, in: place.folder), known[place] == nil else {
          continue
        }
        known[place] = file
      }
    }
  }

  /// Notes that a device removed a file, so that it is removed everywhere.
  mutating func remove(_ place: Place) { removed.insert(place) }
}
