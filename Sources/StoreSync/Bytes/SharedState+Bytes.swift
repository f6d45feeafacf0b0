extension SharedState {
  /// Writes the state. Equal states give equal bytes.
  package func write(to writer: inout PayloadWriter) {
    let table = DeviceTable(of: self)
    table.write(to: &writer)
    writer.reserve(sources.count * 100)
    writer.count(sources.count)
    for (name, source) in sources.sorted(by: { $0.key < $1.key }) {
      writer.name(name)
      source.write(to: &writer, table)
    }
    writer.count(settings.count)
    for (key, setting) in settings.sorted(by: {
      $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }) {
      writer.text(key)
      setting.write(to: &writer, table)
    }
    writer.count(zones.count)
    for (name, zone) in zones.sorted(by: { $0.key < $1.key }) {
      writer.name(name)
      zone.write(to: &writer, table)
    }
    writer.count(achievements.count)
    for (key, unlock) in achievements.sorted(by: { $0.key < $1.key }) {
      writer.text(key.id)
      writer.double(key.tier)
      unlock.write(to: &writer)
    }
  }

  /// The bytes of the state.
  package var bytes: [UInt8] {
    var writer = PayloadWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// Reads a state.
  ///
  /// - Throws: ``SyncFormatError`` for bytes that ``write(to:)`` does not write.
  package init(from reader: inout PayloadReader) throws(SyncFormatError) {
    self.init()
    reader.part = "devices"
    var table = try DeviceTable(from: &reader)
    reader.part = "sources"
    try readSources(from: &reader, &table)
    reader.part = "settings"
    try readSettings(from: &reader, &table)
    reader.part = "zones"
    try readZones(from: &reader, &table)
    reader.part = "achievements"
    try readAchievements(from: &reader)
    guard table.isComplete else { throw reader.error(.notCanonical) }
  }

  private mutating func readSources(
    from reader: inout PayloadReader, _ table: inout DeviceTable
  ) throws(SyncFormatError) {
    let count = try reader.count(ofAtLeast: SourceName.byteCount + 1)
    sources.reserveCapacity(count)
    var last: SourceName?
    for _ in 0..<count {
      let name = try reader.name(SourceName.self)
      if let last, last >= name { throw reader.error(.unsorted) }
      sources[name] = try SourceState(from: &reader, &table)
      last = name
    }
  }

  private mutating func readSettings(
    from reader: inout PayloadReader, _ table: inout DeviceTable
  ) throws(SyncFormatError) {
    var last: String?
    for _ in 0..<(try reader.count(ofAtLeast: 5)) {
      let key = try reader.text(mostBytes: TextLimit.key, isKey: true)
      if let last, !last.utf8.lexicographicallyPrecedes(key.utf8) { throw reader.error(.unsorted) }
      settings[key] = try SharedSetting(from: &reader, &table)
      last = key
    }
  }

  private mutating func readZones(
    from reader: inout PayloadReader, _ table: inout DeviceTable
  ) throws(SyncFormatError) {
    var last: ZoneName?
    for _ in 0..<(try reader.count(ofAtLeast: ZoneName.byteCount + 3)) {
      let name = try reader.name(ZoneName.self)
      if let last, last >= name { throw reader.error(.unsorted) }
      zones[name] = try SharedZone(from: &reader, &table)
      last = name
    }
  }

  private mutating func readAchievements(
    from reader: inout PayloadReader
  ) throws(SyncFormatError) {
    var last: AchievementKey?
    for _ in 0..<(try reader.count(ofAtLeast: 12)) {
      let id = try reader.text(mostBytes: TextLimit.key, isKey: true)
      let key = AchievementKey(id: id, tier: try reader.double())
      if key.tier == 0, key.tier.sign == .minus { throw reader.error(.notCanonical) }
      if let last, !(last < key) { throw reader.error(.unsorted) }
      achievements[key] = try SharedUnlock(from: &reader)
      last = key
    }
  }
}
