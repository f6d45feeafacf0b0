import GeoStore

extension LocalState {
  /// Whether the store has everything that is known.
  ///
  /// - Parameter unlocks: the tiers of achievements that the store has.
  /// - Complexity: O(sources).
  func isSettled(unlocks: [AchievementKey: SharedUnlock], hasOwnCells: Bool) -> Bool {
    shared.sources.allSatisfy { isSettled($0.value, $0.key) }
      && shared.zones.allSatisfy { name, zone in
        if case .removed = zone { !zones.contains(name) } else { zones.contains(name) }
      }
      && changedSettings(hasOwnCells: hasOwnCells).isEmpty
      && unlocks == shared.achievements
  }

  private static func isRadius(_ key: String) -> Bool {
    key == SettingKey.explorationRadiusMeters.rawValue
  }

  private func isSettled(_ state: SourceState, _ name: SourceName) -> Bool {
    guard case .present(let source) = state else { return held[name] == nil }
    guard let held = held[name], held.generation == source.generation,
      held.row == source.row.digest, held.pieces.count == source.pieces.count
    else { return false }
    return zip(held.pieces, source.pieces).allSatisfy { $1.version?.digest == $0.content }
  }

  /// The settings that the store must take over.
  ///
  /// - Parameter hasOwnCells: whether sources came with cells, so that the exploration radius stays
  ///   as it is.
  func changedSettings(hasOwnCells: Bool) -> [String: SharedSetting] {
    shared.settings.filter { key, setting in
      Self.isShared(setting: key) && settings[key] != setting.value
        && !(hasOwnCells && Self.isRadius(key))
    }
  }

  /// The exploration radius of the other devices in meters, if the store cannot take it over: its
  /// sources came with cells of another one.
  func refusedRadius(hasOwnCells: Bool) -> Double? {
    guard hasOwnCells,
      let (key, setting) = shared.settings.first(where: { Self.isRadius($0.key) }),
      settings[key] != setting.value
    else { return nil }
    return setting.value ?? 0
  }
}
