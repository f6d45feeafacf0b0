import GeoStore

extension Explorer {
  /// Returns which sources cover the same time, and for how long: rides recorded by two devices, or
  /// imported in two formats. Nothing of them is counted twice.
  ///
  /// ```swift
  /// let twice = try await explorer.read { try $0.overlaps() }.list.filter { $0.share > 0.9 }
  /// print("\(twice.count) sources cover nothing but the time of another")
  /// ```
  ///
  /// - Throws: `DatabaseError`.
  public func overlaps() throws -> SourceOverlaps {
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
