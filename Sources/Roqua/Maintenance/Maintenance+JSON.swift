import GeoStore
import TrackIngest

extension StoredSource {
  /// The object that `roqua sources --json` prints for the source.
  package var json: JSONValue {
    [
      "id": .integer(id), "path": .string(path), "format": .string(format),
      "sha256": .string(sha256),
      "bytes": .integer(bytes), "points": .integer(points), "kept": .integer(kept),
      // A track has only fixes. Regions and cells are derived from the fixes of all sources.
      "regions": format.isTrack ? .null : .integer(regions),
      "cells": format.isTrack ? .null : .integer(cells),
      "firstTime": .string(firstTime?.iso8601),
      "lastTime": .string(lastTime?.iso8601),
      "importedAt": .string(importedAt?.iso8601),
    ]
  }
}

extension String {
  /// Whether a source of this format is a track, also one that was recorded. Fog of World has cells
  /// and no fixes.
  fileprivate var isTrack: Bool {
    if self == "live" { return true }
    return SourceFormat(rawValue: self).map { $0 != .fogOfWorld } ?? false
  }
}

extension MaintenanceReport {
  /// The document that `roqua forget --json` prints.
  package var json: JSONValue {
    [
      "sources": .array(sources.map(\.json)), "fixes": .integer(fixes),
      "regions": .integer(regions),
      "cells": .integer(cells),
      "before": before.json, "after": after.json, "erased": .bool(isErased),
    ]
  }
}

extension MaintenanceReport.Source {
  fileprivate var json: JSONValue {
    [
      "id": .integer(source.id), "path": .string(source.path), "sha256": .string(source.sha256),
      "forgotten": .bool(isForgotten), "keptBefore": .integer(source.kept), "kept": .integer(kept),
      "regionsBefore": .integer(source.regions), "regions": .integer(regions),
      "cellsBefore": .integer(source.cells), "cells": .integer(cells),
    ]
  }
}

extension MaintenanceReport.Size {
  /// The sizes of the derived tables, by name.
  package var json: JSONValue {
    [
      "visitedRegions": .integer(visitedRegions), "visits": .integer(visits),
      "cells": .integer(cells),
    ]
  }
}

extension StoreCheck {
  /// The document that `roqua check --json` prints.
  package var json: JSONValue {
    ["sound": .bool(isSound), "quick": .bool(isQuick), "steps": .array(steps.map(\.json))]
  }
}

extension StoreCheck.Step {
  fileprivate var json: JSONValue {
    [
      "name": .string(subject.rawValue), "skipped": .bool(isSkipped), "count": .integer(count),
      "differenceCount": .integer(differenceCount),
      "differences": .array(differences.map { .string($0) }),
    ]
  }
}
