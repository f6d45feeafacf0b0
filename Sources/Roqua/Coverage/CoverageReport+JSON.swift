import GeoStore
import Geodesy
import GridHash

extension CoverageReport {
  /// The document that `roqua coverage --json` prints. `box`, `frontier` and `breakdowns` are
  /// present if they were asked for.
  ///
  /// - Parameter top: the largest number of entries in each breakdown; nil for all.
  package func json(top: Int? = nil) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("explorationRadiusMeters", .number(totals.grid.explorationRadiusMeters))
    ]
    members += totals.jsonMembers
    members += [
      .init("tiles", .integer(tiles)),
      .init("bounds", bounds?.json ?? .null),
      .init("frontierCells", .integer(frontierCount)),
      .init("largestSquare", largestSquare?.json ?? .null),
      .init("largestCluster", largestCluster?.json ?? .null),
    ]
    if let box {
      members.append(
        .init(
          "box",
          [
            "south": .number(box.box.south), "west": .number(box.box.west),
            "north": .number(box.box.north), "east": .number(box.box.east),
            "cells": .integer(box.cellCount),
            "areaSquareKilometers": .number(box.areaSquareMeters / 1e6),
            "percentage": .number(boxPercentage),
          ]))
    }
    if let frontier { members.append(.init("frontier", .array(frontier.map(\.json)))) }
    members += query.jsonMembers(placeShare)
    let asked = Breakdown.allCases.compactMap { breakdown -> JSONValue.Member? in
      if let rows = places[breakdown]?.prefix(top ?? .max) {
        return .init(breakdown.rawValue, .array(rows.map { .object($0.jsonMembers(breakdown)) }))
      }
      return periods[breakdown].map {
        .init(breakdown.rawValue, .array(PeriodShare.largest(top, of: $0).map(\.json)))
      }
    }
    if !asked.isEmpty { members.append(.init("breakdowns", .object(asked))) }
    return .object(members)
  }
}

extension CoverageReport.FrontierEntry {
  fileprivate var json: JSONValue {
    [
      "cell": .string(cell.gridHash), "latitude": .number(center.latitudeDegrees),
      "longitude": .number(center.longitudeDegrees), "distanceMeters": .number(distanceMeters),
    ]
  }
}

extension BoundingBox {
  fileprivate var json: JSONValue {
    [
      "south": .number(south), "west": .number(west), "north": .number(north),
      "east": .number(east),
    ]
  }
}

extension CellSquare {
  fileprivate var json: JSONValue {
    ["side": .integer(side), "southWest": .string(southWest.gridHash)]
  }
}

extension CellCluster {
  fileprivate var json: JSONValue {
    ["cells": .integer(cells), "firstCell": .string(firstCell.gridHash)]
  }
}

extension CoverageImport {
  /// The document that `roqua coverage --import --json` prints.
  package var json: JSONValue {
    [
      "path": .string(file.path), "status": isDuplicate ? "duplicate" : "imported",
      "sha256": .string(file.sha256), "bytes": .integer(file.byteCount),
      "cells": .integer(file.cells), "cellsAdded": .integer(cellsAdded),
      "cellsWithheld": .integer(cellsWithheld),
      "areaAddedSquareKilometers": .number(areaAddedSquareKilometers),
    ]
  }
}

extension CoverageExport {
  /// The document that `roqua coverage --export --json` prints.
  package var json: JSONValue {
    [
      "path": .string(path), "bytes": .integer(bytes), "sha256": .string(sha256),
      "cells": .integer(cells), "tiles": .integer(tiles),
      "notes": .array(notes.map { .string($0) }),
    ]
  }
}
