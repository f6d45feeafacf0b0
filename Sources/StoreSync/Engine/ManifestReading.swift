import GeoStore

/// Reads what other devices said since they were read last.
struct ManifestReading {
  /// The manifests, newest of each device.
  private(set) var manifests: [Manifest] = []
  /// Devices whose manifests are older than those that were read before.
  private(set) var rolledBack: [DeviceName] = []
  /// Devices whose newest manifests are encrypted to a key of before.
  private(set) var outdated: [DeviceName] = []
  /// Manifests that cannot be believed, and why.
  private(set) var unreadable: [SyncPath: String] = [:]
  /// Those of them that seem damaged.
  private(set) var damaged: Set<SyncPath> = []
  /// Newer manifests that have not arrived.
  private(set) var awaited: [SyncPath] = []
  /// Whether another store wrote a manifest as this device.
  private(set) var hasTwin = false
  /// Number of files read.
  private(set) var filesRead = 0
  private let files: any SyncFiles
  private let local: LocalState

  /// Reads the newest manifest of each other device, if it is newer than the one read before, and
  /// those of this device that it has not written.
  ///
  /// - Parameter readsOwn: whether another store has written the present manifest of this device.
  init(_ list: FileList, _ local: LocalState, files: any SyncFiles, readsOwn: Bool) {
    (self.files, self.local) = (files, local)
    let found = list.manifests
    for (device, counters) in found.sorted(by: { $0.key < $1.key }) {
      let isOwn = device == local.device
      let read = isOwn ? local.counter : local.read[device] ?? 0
      let own = SyncPath.manifest(device, counter: read)
      // One may be this device's own copy of it.
      let copies = list.hasCopy(of: own, by: device) ? 2 : 1
      if isOwn, read > 0, readsOwn || (list.sizes[own]?.count ?? 0) > copies { readTwins(own) }
      // If the newest cannot be read, an older one says what it can.
      var newest = read
      for counter in counters.here.sorted(by: >) where counter > read {
        guard self.read(.manifest(device, counter: counter)) else { continue }
        newest = counter
        break
      }
      awaited += counters.awaited.filter { $0 > newest }.sorted().map {
        .manifest(device, counter: $0)
      }
      let last = max(counters.here.max() ?? 0, counters.awaited.max() ?? 0)
      if last < read, !isOwn { rolledBack.append(device) }
    }
    for device in local.read.keys.sorted() where found[device] == nil { rolledBack.append(device) }
  }

  private mutating func read(_ path: SyncPath) -> Bool {
    do {
      let payloads = try files.payloads(of: path)
      filesRead += payloads.count
      for payload in payloads { manifests.append(try Self.manifest(payload, at: path)) }
      return true
    } catch SyncFileError.olderKey {
      if case .manifest(let device, _) = path { outdated.append(device) }
      // Earlier ones are older still.
      return true
    } catch {
      unreadable[path] = "\(error)"
      if SyncFileError.isDamage(error) { damaged.insert(path) }
      return false
    }
  }

  private static func manifest(
    _ payload: [UInt8], at path: SyncPath
  ) throws(SyncFormatError) -> Manifest {
    let manifest = try Manifest(payload: payload)
    guard path == .manifest(manifest.device, counter: manifest.counter) else {
      throw SyncFormatError(.notAuthentic, in: "manifest", at: 0)
    }
    return manifest
  }

  /// Reads manifests of the number of this device's own, and takes those that say something else.
  private mutating func readTwins(_ path: SyncPath) {
    guard let payloads = try? files.payloads(of: path) else { return }
    filesRead += payloads.count
    for payload in payloads {
      guard let manifest = try? Self.manifest(payload, at: path),
        Digest(of: manifest.state.bytes) != local.manifest
      else { continue }
      hasTwin = true
      manifests.append(manifest)
    }
  }
}
