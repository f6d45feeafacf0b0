import Achievements
import GeoStore
import Geodesy
import TrackIngest

extension TrackReport {
  /// The JSON members from `tracks` to `error`, in the documented order.
  var jsonMembers: [JSONValue.Member] {
    [
      .init("tracks", .integer(tracks)),
      .init("segments", .integer(segments)),
      .init("points", .integer(points)),
      .init("waypoints", .integer(waypoints)),
      .init("routePoints", .integer(routePoints)),
      .init("skipped", skipped.json),
      .init("kept", .integer(kept)),
      .init("dropped", dropped.json),
      .init("flights", .integer(flights)),
      .init("flightPoints", .integer(flightPoints)),
      .init("unknownAccuracy", .integer(unknownAccuracy)),
      .init("undated", .integer(undated)),
      .init("firstTime", .string(firstTime?.iso8601)),
      .init("lastTime", .string(lastTime?.iso8601)),
      .init("bounds", extent?.json ?? .null),
      .init("warnings", .array(warnings.map(\.json))),
      .init("error", error?.json ?? .null),
    ]
  }
}

extension Tally {
  /// The counts that are not zero, by reason.
  var json: JSONValue { .object(nonZero.map { .init($0.reason.rawValue, .integer($0.count)) }) }
}

extension Extent {
  var json: JSONValue {
    [
      "south": .number(Double(southE7) / 1e7), "west": .number(Double(westE7) / 1e7),
      "north": .number(Double(northE7) / 1e7), "east": .number(Double(eastE7) / 1e7),
    ]
  }
}

extension IngestWarning {
  var json: JSONValue {
    ["code": .string(code.rawValue), "line": .integer(line), "message": .string(message)]
  }
}

extension IngestError {
  var json: JSONValue {
    ["code": .string(code.rawValue), "line": .integer(line), "message": .string(message)]
  }
}

extension FileReport {
  /// The file's JSON object as the import prints it: with its overlaps, which are not stored.
  fileprivate var printedJSON: JSONValue {
    guard case .object(let members) = json, let overlaps else { return json }
    return .object(members + overlaps.jsonMembers)
  }

  /// The file's JSON object as the store keeps it: without its bounds. A corner of them may be a
  /// point in a privacy zone that is added later, and the store does not read reports.
  var storedJSON: JSONValue {
    guard case .object(let members) = json else { return json }
    return .object(members.filter { $0.name != "bounds" })
  }

  /// The file's JSON object.
  package var json: JSONValue {
    .object(
      [
        .init("path", .string(path)),
        .init("format", .string(track.format?.rawValue)),
        .init("status", .string(status.rawValue)),
        .init("sha256", .string(sha256)),
        .init("bytes", .integer(bytes)),
      ] + cellMembers + track.jsonMembers)
  }

  /// The members of a format that has explored pixels and no fixes.
  private var cellMembers: [JSONValue.Member] {
    guard track.format == .fogOfWorld else { return [] }
    return [
      .init("pixels", .integer(track.pixels)),
      .init("cells", .integer(cells)),
      .init("withheldCells", .integer(withheldCells)),
    ]
  }
}

extension ImportReport {
  /// The document that `roqua import --json` prints.
  package var json: JSONValue {
    // A dry run computes no regions, cells and overlaps.
    let changes: SourceChanges? = isDryRun ? nil : self.changes
    let overlapsAreComplete: JSONValue = isDryRun ? .null : .bool(overlaps.isComplete)
    return [
      "files": .array(files.map(\.printedJSON)),
      "totals": [
        "files": .integer(fileCount),
        "imported": .integer(count(.imported)),
        "refused": .integer(count(.refused)),
        "refusedUnlisted": .integer(unlistedCount),
        "duplicates": .integer(count(.duplicate)),
        "ignored": .integer(ignored),
        "ignoredKinds": .object(
          ignoredKindsByCount.map { JSONValue.Member($0.kind, .integer($0.count)) }),
        "unsupported": .object(
          UnsupportedKind.allCases.compactMap { kind in
            unsupported[kind].map { JSONValue.Member(kind.rawValue, .integer($0)) }
          }),
        "bytes": .integer(bytes),
        "points": .integer(points),
        "kept": .integer(kept),
        "flights": .integer(flights),
        "flightPoints": .integer(flightPoints),
        "regionsAdded": .integer(changes?.regionsAdded),
        "regionsRevisited": .integer(changes?.regionsRevisited),
        "cellsAdded": .integer(changes?.cellsAdded),
        "areaAddedSquareKilometers": .number(changes?.areaAddedSquareKilometers),
        "overlapsAreComplete": overlapsAreComplete,
        "elapsedSeconds": .number(elapsedSeconds),
        "pointsPerSecond": .number(pointsPerSecond),
        "peakMemoryBytes": .integer(peakMemoryBytes),
      ],
      "unlocked": isUnlockingKnown ? .array(newlyUnlocked.map { .object($0.jsonMembers) }) : .null,
    ]
  }
}

extension AchievementUnlock {
  /// The members that reports and events of the tool have.
  package var jsonMembers: [JSONValue.Member] {
    [
      .init("achievement", .string(achievementID)), .init("tier", .number(tier)),
      .init("time", .string(time?.iso8601)),
    ]
  }
}
