extension BackupManifest {
  /// The payload of the backup. Equal backups give equal bytes.
  ///
  /// - Precondition: the texts are as short as ``TextLimit`` says, and the state is one that a
  ///   store can have.
  /// - Complexity: O(entries × log entries).
  package var payload: [UInt8] {
    var writer = PayloadWriter()
    writer.name(device)
    writer.text(displayName)
    writer.varint(number)
    writer.zigzag(writtenMilliseconds)
    writer.text(note)
    writer.varint(keptFixes)
    writer.count(settings.count)
    for (key, setting) in settings.sorted(by: {
      $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }) {
      writer.text(key)
      writer.double(setting.value)
      writer.zigzag(setting.changedMilliseconds)
    }
    state.write(to: &writer)
    return writer.bytes
  }

  /// Reads the payload of a backup.
  ///
  /// - Throws: ``SyncFormatError`` for bytes that ``payload`` never has.
  package init(payload: [UInt8]) throws(SyncFormatError) {
    var reader = PayloadReader(payload, part: "backup")
    let device = try reader.name(DeviceName.self)
    let displayName = try reader.text(mostBytes: TextLimit.displayName)
    let number = try reader.ordinal()
    let written = try reader.time()
    let note = try reader.text(mostBytes: TextLimit.note)
    let keptFixes = try reader.ordinal()
    reader.part = "settings of the backup"
    var settings: [String: Setting] = [:]
    var last: String?
    for _ in 0..<(try reader.count(ofAtLeast: 11)) {
      let key = try reader.text(mostBytes: TextLimit.key, isKey: true)
      if let last, !last.utf8.lexicographicallyPrecedes(key.utf8) { throw reader.error(.unsorted) }
      settings[key] = Setting(
        value: try reader.double(), changedMilliseconds: try reader.time())
      last = key
    }
    let state = try SharedState(from: &reader)
    guard state.isHeld else { throw reader.error(.notCanonical) }
    try reader.finish()
    self.init(
      device: device, displayName: displayName, number: number, writtenMilliseconds: written,
      note: note, keptFixes: keptFixes, settings: settings, state: state)
  }
}

extension TextLimit {
  /// The note of a backup.
  package static let note = 1000
}

extension BackupManifest {
  /// The paths of the source files that the backup names, with their sizes.
  package var files: [SyncPath: UInt64] {
    var files: [SyncPath: UInt64] = [:]
    for (name, source) in state.sources {
      for file in source.files { files[.source(name, file.name)] = file.byteCount }
    }
    return files
  }
}
