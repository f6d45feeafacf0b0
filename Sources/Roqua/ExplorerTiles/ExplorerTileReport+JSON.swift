import GeoStore
import Geodesy
import GridHash

extension ExplorerTileReport {
  /// The document that `roqua coverage --tiles --json` prints. `growth` is null, and `missing` is
  /// left out, if the query selects a part of the tiles.
  ///
  /// - Parameter top: the largest number of entries in each breakdown; nil for all.
  package func json(top: Int? = nil) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("zoom", .integer(query.zoom)),
      .init("tiles", .integer(tiles.count)),
      .init("largestSquare", largestSquareJSON),
      .init(
        "largestCluster",
        largestCluster.map {
          ["tiles": .integer($0.count), "firstTile": .string($0.firstTile.description)]
        } ?? .null),
      .init("growth", growthJSON),
    ]
    if let missing {
      members.append(
        .init("missing", .array(missing.map { $0.tile.json(distanceMeters: $0.distanceMeters) })))
    }
    if let place = query.selection.place { members.append(.init("place", .string(place.label))) }
    members += query.selection.jsonMembers(nil)
    let asked = Breakdown.allCases.compactMap { breakdown in
      periods[breakdown].map { JSONValue.Member(breakdown.rawValue, .array(Self.json($0, top))) }
    }
    if !asked.isEmpty { members.append(.init("breakdowns", .object(asked))) }
    return .object(members)
  }

  private var largestSquareJSON: JSONValue {
    guard let largestSquares else { return .null }
    return [
      "side": .integer(largestSquares.side), "count": .integer(largestSquares.squares.count),
      "squares": .array(squarePlaces.map { .object($0.jsonMembers) }),
    ]
  }

  private var growthJSON: JSONValue {
    guard let growth else { return .null }
    return [
      "side": .integer(growth.side), "missingTiles": .integer(growth.missingCount),
      "count": .integer(growth.squares.count),
      "squares": .array(
        growthPlaces.map { growth in
          .object(
            growth.place.jsonMembers + [
              .init("missing", .array(growth.missing.map { $0.json(distanceMeters: nil) }))
            ])
        }),
    ]
  }

  private static func json(_ periods: [Period], _ top: Int?) -> [JSONValue] {
    largest(top, of: periods).map {
      ["period": .string($0.period), "newTiles": .integer($0.newTiles)]
    }
  }

  /// The periods with the most new tiles, the largest first; all in their order if `count` is nil.
  package static func largest(_ count: Int?, of periods: [Period]) -> [Period] {
    guard let count else { return periods }
    let ordered = periods.enumerated().sorted { left, right in
      (right.element.newTiles, left.offset) < (left.element.newTiles, right.offset)
    }
    return ordered.prefix(count).map(\.element)
  }
}

extension ExplorerTileReport.SquarePlace {
  fileprivate var jsonMembers: [JSONValue.Member] {
    let middle = square.middle
    return [
      .init("northWest", .string(square.northWest.description)),
      .init("latitude", .number(middle.latitudeDegrees)),
      .init("longitude", .number(middle.longitudeDegrees)),
      .init("country", .string(place.country)),
      .init("city", .string(place.city)),
      .init("distanceMeters", .number(distanceMeters)),
    ]
  }
}

extension ExplorerTile {
  fileprivate func json(distanceMeters: Double?) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("tile", .string(description)), .init("x", .integer(x)), .init("y", .integer(y)),
      .init("latitude", .number(center.latitudeDegrees)),
      .init("longitude", .number(center.longitudeDegrees)),
    ]
    if let distanceMeters { members.append(.init("distanceMeters", .number(distanceMeters))) }
    return .object(members)
  }
}

extension ExplorerTileExport {
  /// The document that `roqua coverage --tiles --export --json` prints.
  package var json: JSONValue {
    [
      "path": .string(path), "tiles": .integer(tiles), "bytes": .integer(bytes),
      "notes": .array(notes.map { .string($0) }),
    ]
  }
}
