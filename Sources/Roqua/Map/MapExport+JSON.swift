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

extension PictureReport {
  /// The document that `roqua map --json` prints for pictures.
  package var json: JSONValue {
    [
      "path": .string(path), "format": .string(format.rawValue), "width": .integer(width),
      "height": .integer(height), "frames": .integer(frames), "bytes": .integer(bytes),
      "cells": .integer(cells), "notes": .array(notes.map { .string($0) }),
    ]
  }
}
