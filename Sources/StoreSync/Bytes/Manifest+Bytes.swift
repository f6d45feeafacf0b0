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
    writer.damaged(wanted)
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
    let wanted = try reader.damaged()
    let state = try SharedState(from: &reader)
    try reader.finish()
    self.init(
      device: device, displayName: displayName, counter: counter, writtenMilliseconds: written,
      activeMilliseconds: active, read: read, wanted: wanted,
      state: state)
  }
}
