/// The files that devices found damaged, in payloads.
extension PayloadWriter {
  /// Writes the source files, then the manifests, each sorted.
  mutating func damaged(_ wanted: Set<SyncPath>) {
    var sources: [(source: SourceName, file: FileName)] = []
    var manifests: [(device: DeviceName, counter: UInt64)] = []
    for path in wanted {
      switch path {
      case .source(let source, let file): sources.append((source, file))
      case .manifest(let device, let counter): manifests.append((device, counter))
      case .key, .backup: preconditionFailure("nobody can mend those")
      }
    }
    count(sources.count)
    for (source, file) in sources.sorted(by: { $0 < $1 }) {
      name(source)
      name(file)
    }
    count(manifests.count)
    for (device, counter) in manifests.sorted(by: { $0 < $1 }) {
      name(device)
      varint(counter)
    }
  }
}

extension PayloadReader {
  /// Reads what ``PayloadWriter/damaged(_:)`` writes.
  mutating func damaged() throws(SyncFormatError) -> Set<SyncPath> {
    var wanted: Set<SyncPath> = []
    var lastSource: (SourceName, FileName)?
    for _ in 0..<(try count(ofAtLeast: SourceName.byteCount + FileName.byteCount)) {
      let entry = (try name(SourceName.self), try name(FileName.self))
      if let lastSource, lastSource >= entry { throw error(.unsorted) }
      lastSource = entry
      wanted.insert(.source(entry.0, entry.1))
    }
    var lastManifest: (DeviceName, UInt64)?
    for _ in 0..<(try count(ofAtLeast: DeviceName.byteCount + 1)) {
      let entry = (try name(DeviceName.self), try ordinal())
      if let lastManifest, lastManifest >= entry { throw error(.unsorted) }
      lastManifest = entry
      wanted.insert(.manifest(entry.0, counter: entry.1))
    }
    return wanted
  }
}
