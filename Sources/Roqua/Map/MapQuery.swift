import Foundation
import GeoStore
import Geodesy
import SQLiteLayer

/// What a map shows.
///
/// ```swift
/// var query = MapQuery()
/// query.title = "Our summer"
/// query.hiddenZones = [PrivacyZone(center: here, radiusMeters: 500)]
/// let map = try await explorer.writeMap(to: URL(filePath: "summer.html"), of: query)
/// print("\(map.cells) cells, \(map.bytes) bytes")
/// ```
public struct MapQuery: Sendable {
  /// The part of the store that is shown: a place, a range of time, and the clock by which days are
  /// counted. Its breakdowns are ignored.
  public var selection = StatisticsQuery()
  /// Areas that this map hides, in addition to the store's privacy zones.
  public var hiddenZones: [PrivacyZone] = []
  /// Whether the map contains tracks.
  public var includesTracks = false
  /// The title; nil for one made from the selection.
  public var title: String?
  /// The language in which pages and pictures name places, as far as the names are known in it: nil
  /// for English.
  public var locale: Locale?
  /// The size in bytes above which times and then details are left out, at least 2 MB.
  package var byteLimit = 6_000_000

  /// Creates a query for all that the store has.
  public init() {}

  /// What is shown, without saying which ground is hidden.
  var subject: String {
    let times = selection.times.map { "\($0.lowerBound.iso8601) \($0.upperBound.iso8601)" } ?? ""
    return "\n\(selection.place?.label ?? "")\n\(times)\n\(hiddenZones.count)"
  }

  /// The title in one line without control characters; nil if nothing is left of it.
  var plainTitle: String? {
    guard let title else { return nil }
    let words = title.split { character in
      character.isWhitespace
        || character.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }
    return words.isEmpty ? nil : words.joined(separator: " ")
  }

  /// The zones of the store and those of this map.
  func zones(of snapshot: Snapshot) throws(DatabaseError) -> [PrivacyZone] {
    try snapshot.privacyZones().map(\.zone) + hiddenZones
  }
}

/// The precision of the time machine of a map.
package enum MapPrecision: String, Sendable, CaseIterable {
  /// Each cell has the day on which it was explored.
  case day
  /// Each cell has its month.
  case month
  /// Each cell has its year.
  case year
  /// Cells have no time.
  case none
}

/// A map that was written.
///
/// ```swift
/// let map = try await explorer.writeMap(to: URL(filePath: "map.html"), replacing: true)
/// print("\(map.cells) cells, \(map.bytes) bytes")
/// for note in map.notes { print(note) }
/// ```
public struct MapExport: Hashable, Sendable {
  /// The path of the file.
  package let path: String
  /// The size of the file in bytes.
  public let bytes: Int
  /// The number of explored cells on the map.
  public let cells: Int
  /// The number of visited regions on the map.
  public let visitedRegions: Int
  /// The number of tracks on the map.
  public let tracks: Int
  /// The precision of the time machine.
  package let precision: MapPrecision
  /// What was left out to keep the file small, one sentence each.
  public let notes: [String]
}
