extension MapExport {
  /// The document that `roqua map --json` prints.
  package var json: JSONValue {
    [
      "path": .string(path), "bytes": .integer(bytes), "cells": .integer(cells),
      "visitedRegions": .integer(visitedRegions), "tracks": .integer(tracks),
      "precision": .string(precision.rawValue), "notes": .array(notes.map { .string($0) }),
    ]
  }
}

extension MapTileReport {
  /// The document that `roqua map --json` prints for tiles.
  package var json: JSONValue {
    [
      "path": .string(path), "renewed": .bool(isRenewal), "written": .integer(written),
      "removed": .integer(removed),
    ]
  }
}
