import GeoStore

extension Explorer {
  /// Does what the async form does, on the calling thread.
  package func overlaps() throws -> SourceOverlaps {
    try read { snapshot in try snapshot.overlaps() }
  }
}

extension SourceOverlaps {
  /// The document that `roqua sources --overlaps --json` prints.
  package var json: JSONValue {
    ["overlaps": .array(list.map(\.json)), "isComplete": .bool(isComplete)]
  }
}

extension SourceOverlap {
  fileprivate var json: JSONValue {
    [
      "sources": .array(
        [first, second].map {
          ["id": .integer($0.id), "path": .string($0.path), "sha256": .string($0.sha256)]
        }),
      "seconds": .number(seconds), "share": .number(share), "sharedPlace": .number(sharedPlace),
    ]
  }
}
