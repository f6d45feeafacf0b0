extension Manifest {
  /// The payload of the manifest. Equal manifests give equal bytes.
  ///
  /// - Complexity: O(entries × log entries).
  package var payload: [UInt8] {
    var writer = PayloadWriter()
    writer.name(device)
    writer.text(displayName)
    writer.varint(counter)
    writer.zigzag(writtenMilliseconds)
    writer.zigzag(activeMilliseconds)
    writer.count(read.count)
    for (device, counter) in read.sorted(by: { $0.key < $1.key }) {
      writer.name(device)
      writer.varint(counter)
    }
    write(wanted, to: &writer)
    state.write(to: &writer)
    return writer.bytes
  }

  /// Reads the payload of a manifest.
  ///
  /// - Throws: ``SyncFormatError`` for bytes that ``payload`` never has.
  package init(payload: [UInt8]) throws(SyncFormatError) {
    var reader = PayloadReader(payload, part: "manifest")
    let device = try reader.name(DeviceName.self)
    let displayName = try reader.text(mostBytes: TextLimit.displayName)
    let counter = try reader.ordinal()
    let written = try reader.time()
    let active = try reader.time()
    var read: [DeviceName: UInt64] = [:]
    var last: DeviceName?
    for _ in 0..<(try reader.count(ofAtLeast: DeviceName.byteCount + 1)) {
      let device = try reader.name(DeviceName.self)
      if let last, last >= device { throw reader.error(.unsorted) }
      read[device] = try reader.ordinal()
      last = device
    }
    let wanted = try Self.wanted(from: &reader)
    let state = try SharedState(from: &reader)
    try reader.finish()
    self.init(
      device: device, displayName: displayName, counter: counter, writtenMilliseconds: written,
      activeMilliseconds: active, read: read, wanted: wanted,
      state: state)
  }

  /// Writes the source files, then the manifests.
  private func write(_ wanted: Set<SyncPath>, to writer: inout PayloadWriter) {
    var sources: [(source: SourceName, file: FileName)] = []
    var manifests: [(device: DeviceName, counter: UInt64)] = []
    for path in wanted {
      switch path {
      case .source(let source, let file): sources.append((source, file))
      case .manifest(let device, let counter): manifests.append((device, counter))
      case .key, .backup: preconditionFailure("nobody can mend those")
      }
    }
    writer.count(sources.count)
    for (source, file) in sources.sorted(by: { $0 < $1 }) {
      writer.name(source)
      writer.name(file)
    }
    writer.count(manifests.count)
    for (device, counter) in manifests.sorted(by: { $0 < $1 }) {
      writer.name(device)
      writer.varint(counter)
    }
  }

  private static func wanted(
    from reader: inout PayloadReader
  ) throws(SyncFormatError) -> Set<SyncPath> {
    var wanted: Set<SyncPath> = []
    var lastSource: (SourceName, FileName)?
    for _ in 0..<(try reader.count(ofAtLeast: SourceName.byteCount + FileName.byteCount)) {
      let entry = (try reader.name(SourceName.self), try reader.name(FileName.self))
      if let lastSource, lastSource >= entry { throw reader.error(.unsorted) }
      lastSource = entry
      wanted.insert(.source(entry.0, entry.1))
    }
    var lastManifest: (DeviceName, UInt64)?
    for _ in 0..<(try reader.count(ofAtLeast: DeviceName.byteCount + 1)) {
      let entry = (try reader.name(DeviceName.self), try reader.ordinal())
      if let lastManifest, lastManifest >= entry { throw reader.error(.unsorted) }
      lastManifest = entry
      wanted.insert(.manifest(entry.0, counter: entry.1))
    }
    return wanted
  }
}
