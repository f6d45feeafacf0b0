import GeoStore

extension Stamp {
  /// Writes the time and the number of the device.
  func write(to writer: inout PayloadWriter, _ table: DeviceTable) {
    writer.zigzag(milliseconds)
    table.write(device, to: &writer)
  }

  /// Reads a stamp.
  init(from reader: inout PayloadReader, _ table: inout DeviceTable) throws(SyncFormatError) {
    self.init(milliseconds: try reader.time(), device: try table.device(from: &reader))
  }
}

extension SharedSetting {
  /// Writes 1 and the value, or 0 for the default; and the stamp.
  func write(to writer: inout PayloadWriter, _ table: DeviceTable) {
    writer.byte(value == nil ? 0 : 1)
    if let value { writer.double(value) }
    stamp.write(to: &writer, table)
  }

  /// Reads a setting.
  init(from reader: inout PayloadReader, _ table: inout DeviceTable) throws(SyncFormatError) {
    let value: Double? = try reader.flag() ? try reader.double() : nil
    self.init(value: value, stamp: try Stamp(from: &reader, &table))
  }
}

extension SharedZone {
  /// Writes 0 and the stamp of the removal, or 1 (without a name) or 2 (with a name) and the zone.
  func write(to writer: inout PayloadWriter, _ table: DeviceTable) {
    switch self {
    case .removed(let stamp):
      writer.byte(0)
      stamp.write(to: &writer, table)
    case .present(let zone):
      writer.byte(zone.name == nil ? 1 : 2)
      if let name = zone.name { writer.text(name) }
      writer.zigzag(Int64(zone.latitudeE7))
      writer.zigzag(Int64(zone.longitudeE7))
      writer.double(zone.radiusMeters)
      writer.zigzag(zone.addedMilliseconds)
    }
  }

  /// Reads a zone.
  init(from reader: inout PayloadReader, _ table: inout DeviceTable) throws(SyncFormatError) {
    let tag = try reader.byte()
    switch tag {
    case 0: self = .removed(try Stamp(from: &reader, &table))
    case 1, 2:
      let name = tag == 2 ? try reader.text(mostBytes: TextLimit.zoneName) : nil
      let latitude = try reader.zigzag()
      let longitude = try reader.zigzag()
      let radius = try reader.double()
      guard (-900_000_000...900_000_000).contains(latitude),
        (-1_800_000_000...1_800_000_000).contains(longitude),
        StoredZone.radiusMeters.contains(radius)
      else { throw reader.error(.outOfRange) }
      self = .present(
        PresentZone(
          name: name, latitudeE7: Int32(latitude), longitudeE7: Int32(longitude),
          radiusMeters: radius, addedMilliseconds: try reader.time()))
    default: throw reader.error(.unknownTag(tag))
    }
  }
}

extension SharedUnlock {
  /// Writes 1 and the time of the unlock, or 0; and the time when it was given.
  func write(to writer: inout PayloadWriter) {
    writer.byte(unlockedMilliseconds == nil ? 0 : 1)
    if let unlockedMilliseconds { writer.zigzag(unlockedMilliseconds) }
    writer.zigzag(givenMilliseconds)
  }

  /// Reads an unlock.
  init(from reader: inout PayloadReader) throws(SyncFormatError) {
    let unlocked: Int64? = try reader.flag() ? try reader.time() : nil
    self.init(unlockedMilliseconds: unlocked, givenMilliseconds: try reader.time())
  }
}
