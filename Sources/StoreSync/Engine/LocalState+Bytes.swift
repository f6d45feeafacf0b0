/// The bytes in the column `sync_state.state`.
extension LocalState {
  /// The bytes. Equal states give equal bytes.
  package var bytes: [UInt8] {
    var writer = PayloadWriter()
    writer.byte(1)
    writer.name(folder)
    writer.name(device)
    writer.text(displayName)
    writer.varint(counter)
    writer.name(manifest)
    writer.name(mark)
    writer.zigzag(activeMilliseconds)
    writer.zigzag(deletions)
    writer.count(read.count)
    for (device, counter) in read.sorted(by: { $0.key < $1.key }) {
      writer.name(device)
      writer.varint(counter)
    }
    writer.count(seen.count)
    for (device, times) in seen.sorted(by: { $0.key < $1.key }) {
      writer.name(device)
      writer.zigzag(times.writtenMilliseconds)
      writer.zigzag(times.activeMilliseconds)
    }
    writer.count(requests.count)
    for (device, paths) in requests.sorted(by: { $0.key < $1.key }) {
      writer.name(device)
      writer.damaged(paths)
    }
    shared.write(to: &writer)
    writer.count(obsolete.count)
    for (name, files) in obsolete.sorted(by: { $0.key < $1.key }) {
      writer.name(name)
      writer.count(files.count)
      for file in files.sorted() { writer.name(file) }
    }
    writer.count(held.count)
    for (name, source) in held.sorted(by: { $0.key < $1.key }) {
      writer.name(name)
      source.write(to: &writer)
    }
    writer.count(settings.count)
    for (key, value) in settings.sorted(by: { $0.key < $1.key }) {
      writer.text(key)
      writer.double(value)
    }
    writer.count(zones.count)
    for zone in zones.sorted() { writer.name(zone) }
    return writer.bytes
  }

  /// Reads the bytes.
  ///
  /// - Throws: ``SyncFormatError`` for bytes that ``bytes`` never has.
  package init(bytes: [UInt8]) throws(SyncFormatError) {
    var reader = PayloadReader(bytes, part: "state of the sync")
    let version = try reader.byte()
    guard version == 1 else { throw reader.error(.unsupportedVersion(version)) }
    self.init(
      folder: try reader.name(), device: try reader.name(),
      displayName: try reader.text(mostBytes: TextLimit.displayName))
    counter = try reader.ordinal()
    manifest = try reader.name()
    mark = try reader.name()
    activeMilliseconds = try reader.time()
    deletions = try reader.zigzag()
    for _ in 0..<(try reader.count(ofAtLeast: DeviceName.byteCount + 1)) {
      let device: DeviceName = try reader.name()
      read[device] = try reader.ordinal()
    }
    for _ in 0..<(try reader.count(ofAtLeast: DeviceName.byteCount + 2)) {
      let device: DeviceName = try reader.name()
      seen[device] = SeenDevice(
        writtenMilliseconds: try reader.time(), activeMilliseconds: try reader.time())
    }
    for _ in 0..<(try reader.count(ofAtLeast: DeviceName.byteCount + 2)) {
      let device: DeviceName = try reader.name()
      requests[device] = try reader.damaged()
    }
    shared = try SharedState(from: &reader)
    for _ in 0..<(try reader.count(ofAtLeast: SourceName.byteCount)) {
      let name: SourceName = try reader.name()
      for _ in 0..<(try reader.count(ofAtLeast: FileName.byteCount)) {
        obsolete[name, default: []].insert(try reader.name())
      }
    }
    for _ in 0..<(try reader.count(ofAtLeast: SourceName.byteCount)) {
      let name: SourceName = try reader.name()
      held[name] = try HeldSource(from: &reader)
    }
    for _ in 0..<(try reader.count(ofAtLeast: 9)) {
      let key = try reader.text(mostBytes: TextLimit.key)
      settings[key] = try reader.double()
    }
    for _ in 0..<(try reader.count(ofAtLeast: ZoneName.byteCount)) {
      zones.insert(try reader.name())
    }
    try reader.finish()
  }
}

extension HeldSource {
  fileprivate func write(to writer: inout PayloadWriter) {
    writer.zigzag(id)
    writer.varint(generation)
    writer.name(row)
    writer.count(pieces.count)
    for piece in pieces {
      writer.zigzag(piece.chunks?.lowerBound ?? 0)
      writer.varint(UInt64(piece.chunks?.count ?? 0))
      writer.name(piece.stored)
      writer.name(piece.content)
      writer.varint(piece.count)
    }
  }

  fileprivate init(from reader: inout PayloadReader) throws(SyncFormatError) {
    (id, generation) = (try reader.zigzag(), try reader.ordinal())
    (row, pieces) = (try reader.name(), [])
    for _ in 0..<(try reader.count(ofAtLeast: 3 + 2 * Digest.byteCount)) {
      let first = try reader.zigzag()
      let count = try reader.varint()
      guard first >= 0, first < 1 << 40, count < 1 << 40 else { throw reader.error(.outOfRange) }
      pieces.append(
        HeldPiece(
          chunks: count == 0 ? nil : first...first + Int64(count) - 1, stored: try reader.name(),
          content: try reader.name(), count: try reader.ordinal()))
    }
  }
}
