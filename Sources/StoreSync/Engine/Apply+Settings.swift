import Geodesy
import GeoStore

/// Settings, privacy zones and achievements of other devices.
extension Apply {
  mutating func applyZones() throws {
    let present = Set(try session.history.zoneRecords().map(\.uid))
    var names: [(name: ZoneName, zone: PresentZone)] = []
    for (name, zone) in local.shared.zones {
      switch zone {
      case .removed:
        local.zones.remove(name)
        guard present.contains(name.hexadecimal) else { continue }
        try session.removeZone(uid: name.hexadecimal)
        changes.zonesRemoved += 1
      case .present(let zone): names.append((name, zone))
      }
    }
    names.sort { ($0.zone, $0.name) < ($1.zone, $1.name) }
    for (name, zone) in names where !present.contains(name.hexadecimal) {
      changes.fixesErased += try session.add(zone.record(uid: name, named: nil))
      local.zones.insert(name)
      changes.zonesAdded += 1
    }
    try applyZoneNames(names)
  }

  /// Gives each zone its name. Of several with one name, the later ones get a number.
  func applyZoneNames(_ zones: [(name: ZoneName, zone: PresentZone)]) throws {
    var wanted: [String: String?] = [:]
    var taken: Set<String> = []
    for (uid, zone) in zones {
      var name = zone.name
      var number = 2
      while let tried = name, !taken.insert(tried).inserted {
        name = "\(zone.name ?? "") \(number)"
        number += 1
      }
      wanted[uid.hexadecimal] = name
    }
    let records = try session.history.zoneRecords()
    let wrong = records.filter { wanted[$0.uid] ?? nil != $0.name }
    for record in wrong { try session.renameZone(record.uid, to: nil) }
    for record in wrong { try session.renameZone(record.uid, to: wanted[record.uid] ?? nil) }
  }

  mutating func applySettings() throws {
    var values: [String: SettingRecord?] = [:]
    let hasOwnCells = try session.history.hasOwnCells()
    for (key, setting) in local.changedSettings(hasOwnCells: hasOwnCells) {
      values[key] = .some(
        setting.value.map { SettingRecord(value: $0, changed: setting.stamp.milliseconds) })
    }
    guard !values.isEmpty else { return }
    if try session.set(values) { mustRebuild = true }
    let records = try session.history.settingRecords()
    local.settings = records.filter { LocalState.isShared(setting: $0.key) }.mapValues(\.value)
    changes.settingsChanged = values.count
  }

  mutating func applyAchievements() throws {
    var known: [AchievementKey: SharedUnlock] = [:]
    for row in try session.history.achievementRows() {
      known[AchievementKey(id: row.id, tier: row.tier)] = SharedUnlock(
        unlockedMilliseconds: row.time?.millisecondsSince1970,
        givenMilliseconds: row.givenAt.millisecondsSince1970)
    }
    let rows = local.shared.achievements.filter { known[$0.key] != $0.value }.map { key, unlock in
      AchievementRow(
        id: key.id, tier: key.tier,
        time: unlock.unlockedMilliseconds.map(Timestamp.init(millisecondsSince1970:)),
        generation: 0, givenAt: Timestamp(millisecondsSince1970: unlock.givenMilliseconds))
    }
    try session.merge(rows)
    changes.achievements = rows.count
  }
}
