import SQLiteLayer

@testable import GeoStore

/// All that a person has in a store: what devices share, and the settings of the device.
struct StoreContents: Equatable {
  let shared: SharedContents
  let settings: [String]

  init(_ store: Store) throws {
    shared = try SharedContents(store)
    settings = try store.read { snapshot in
      let select = try Statement(
        "SELECT json_array(key, value, changed_ms) FROM settings ORDER BY key",
        on: snapshot.connection)
      var lines: [String] = []
      while try select.step() { lines.append(select.text(at: 0) ?? "NULL") }
      return lines
    }
  }

  /// The first lines that only one of two stores has.
  func differences(from other: StoreContents) -> [String] {
    shared.differences(from: other.shared)
      + (settings == other.settings ? [] : ["\(settings) instead of \(other.settings)"])
  }
}
