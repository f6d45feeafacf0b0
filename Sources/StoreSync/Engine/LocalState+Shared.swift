import Geodesy
import GeoStore

extension LocalState {
  /// The settings that each device has for itself: how things look there.
  private static let ownSettings: Set<String> = [
    SettingKey.units.rawValue, SettingKey.colorScheme.rawValue, SettingKey.colorTheme.rawValue,
  ]

  /// Whether devices share a setting.
  static func isShared(setting key: String) -> Bool {
    !ownSettings.contains(key) && isKey(key)
  }

  /// Whether a file of the folder can contain a key.
  static func isKey(_ key: String) -> Bool {
    !key.isEmpty && key.utf8.count <= TextLimit.key
      && key.utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  /// The highest rank of a piece that is known.
  var highestRank: UInt64 {
    var highest: UInt64 = 0
    for case .present(let source) in shared.sources.values {
      for piece in source.pieces { highest = max(highest, piece.position.rank) }
    }
    return highest
  }
}

extension PresentZone {
  /// A zone of the store.
  init(_ record: ZoneRecord) {
    self.init(
      name: record.name.map { Self.cut($0, toBytes: TextLimit.zoneName) },
      latitudeE7: record.latitudeE7, longitudeE7: record.longitudeE7,
      radiusMeters: record.radiusMeters,
      addedMilliseconds: Timestamp(iso8601: record.addedAt)?.millisecondsSince1970 ?? 0)
  }

  /// The longest beginning of a text that has at most `most` bytes.
  static func cut(_ text: String, toBytes most: Int) -> String {
    var text = text
    while text.utf8.count > most { text.removeLast() }
    return text
  }

  /// The zone as a row of the store.
  func record(uid: ZoneName, named name: String?) -> ZoneRecord {
    ZoneRecord(
      uid: uid.hexadecimal, name: name, latitudeE7: latitudeE7, longitudeE7: longitudeE7,
      radiusMeters: radiusMeters,
      addedAt: Timestamp(millisecondsSince1970: addedMilliseconds).iso8601)
  }
}
