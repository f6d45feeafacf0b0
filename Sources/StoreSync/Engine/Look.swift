import GeoStore

/// What a sync finds in a store before it changes anything: readers and writers go on meanwhile.
struct Look {
  /// The state of the store with everything that changed since the last sync.
  let local: LocalState
  /// Whether nothing changed, and the store has everything that is known.
  let isSettled: Bool
  /// The exploration radius of the other devices, if the store cannot take it over.
  let refusedRadiusMeters: Double?

  /// Looks at a store.
  init(
    _ history: HistoryReader, as device: SyncRun.Device, files: any SyncFiles, now: Int64
  ) throws {
    let stored = try LocalState.stored(in: history, as: device, files: files)
    var capture = Capture(stored.local, in: history, files: files, now: now)
    try capture.run(after: stored.sealedChunk)
    let hasOwnCells = try history.hasOwnCells()
    local = capture.local
    isSettled =
      stored.isShared && local == stored.local
      && local.isSettled(unlocks: capture.unlocks, hasOwnCells: hasOwnCells)
    refusedRadiusMeters = local.refusedRadius(hasOwnCells: hasOwnCells)
  }
}

extension LocalState {
  /// Returns what a store keeps about sharing its history through this folder, the last chunk that
  /// is captured, and whether it shares anything yet. What it shared through another folder does
  /// not count.
  static func stored(
    in history: HistoryReader, as device: SyncRun.Device, files: any SyncFiles
  ) throws -> (local: LocalState, sealedChunk: Int64, isShared: Bool) {
    let folder = files.name(ofSource: "folder")
    let new = LocalState(folder: folder, device: device.name, displayName: device.displayName)
    guard let stored = try history.syncState() else { return (new, 0, false) }
    var state = try LocalState(bytes: stored.state)
    guard state.folder == folder else { return (new, 0, false) }
    state.displayName = device.displayName
    if state.device != device.name {
      // A store that was just restored has written no manifest yet.
      if state.counter > 0 { state.read[state.device] = state.counter }
      state.counter = state.read.removeValue(forKey: device.name) ?? 0
      state.device = device.name
    }
    return (state, stored.sealedChunk, true)
  }

  /// The state with what other devices said.
  func joined(with manifests: [Manifest]) -> LocalState {
    var local = self
    for manifest in manifests {
      local.shared.join(manifest.state)
      // A store that was put back goes on after what the others have read of it.
      local.counter = max(local.counter, manifest.read[local.device] ?? 0)
      if manifest.device == local.device {
        // The store was copied or put back: its counter goes on from there.
        local.counter = max(local.counter, manifest.counter)
      } else {
        local.read[manifest.device] = max(local.read[manifest.device] ?? 0, manifest.counter)
        local.seen[manifest.device] = SeenDevice(
          writtenMilliseconds: manifest.writtenMilliseconds,
          activeMilliseconds: manifest.activeMilliseconds)
        local.requests[manifest.device] = manifest.wanted.isEmpty ? nil : manifest.wanted
      }
    }
    return local
  }

  /// Notes the files that were named before and are not any more.
  mutating func noteObsoleteFiles(since before: SharedState) {
    for (name, state) in before.sources where shared.sources[name] != state {
      obsolete[name, default: []].formUnion(state.files.map(\.name))
    }
    for (name, files) in obsolete {
      // A forgotten source has no files at all.
      let named = Set((shared.sources[name]?.files ?? []).map(\.name))
      let left = shared.sources[name] == .forgotten ? [] : files.subtracting(named)
      obsolete[name] = left.isEmpty ? nil : left
    }
  }

  /// Gives the next manifest its number, if it says anything new.
  mutating func countManifest(marked mark: Digest) {
    let digest = Digest(of: shared.bytes)
    guard digest != manifest || mark != self.mark else { return }
    (manifest, self.mark) = (digest, mark)
    counter += 1
  }

  /// The last chunk that is captured. Chunks of a piece may have been deleted at its end: their
  /// numbers must not be used again, because the piece would seem to have them.
  func sealedChunk(in history: HistoryReader) throws -> Int64 {
    var last = try history.lastChunk()
    for source in held.values {
      for piece in source.pieces { last = max(last, piece.chunks?.upperBound ?? 0) }
    }
    return last
  }
}
