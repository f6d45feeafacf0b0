import TrackIngest

extension ImportExplanation {
  /// The object that `roqua import --explain --json` prints on a line.
  package var json: JSONValue {
    switch self {
    case .archive(let path, let format, let evidence):
      [
        "path": .string(path), "outcome": .string("archive"), "format": .string(format),
        "recognized": evidence?.json ?? .null,
      ]
    case .archiveEnd(let path, let warnings):
      [
        "path": .string(path), "outcome": .string("archiveEnd"),
        "warnings": .array(warnings.map(\.json)),
      ]
    case .leftOut(let path, let position):
      ["path": .string(path), "reason": .string(position.reason.name)] + position.jsonMembers
    case .source(let source): source.json
    }
  }
}

extension SourceExplanation {
  fileprivate var json: JSONValue {
    [
      "path": .string(path), "outcome": .string(outcome.rawValue), "reason": .string(reason),
      "format": .string(track.format?.rawValue), "compression": compression?.json ?? .null,
      "recognized": evidence?.json ?? .null, "bytes": .integer(bytes),
    ] + cellMembers + track.jsonMembers + [.init("leftOut", .array(leftOut.entries.map(\.json)))]
  }
}

extension SourceExplanation {
  /// The members of a format that has explored pixels and no fixes.
  private var cellMembers: [JSONValue.Member] {
    guard track.format == .fogOfWorld else { return [] }
    return [
      .init("pixels", .integer(track.pixels)), .init("cells", .integer(cells)),
      .init("withheldCells", .integer(withheldCells)),
    ]
  }
}

extension ContentEvidence {
  fileprivate var json: JSONValue {
    ["signature": .string(signature), "byte": .integer(byte), "encoding": .string(encoding)]
  }
}

extension LeftOutSummary.Entry {
  fileprivate var json: JSONValue {
    [
      "reason": .string(reason.name), "count": .integer(count),
      "first": .array(first.map { .object($0.jsonMembers) }),
    ]
  }
}

extension LeftOutPosition {
  fileprivate var jsonMembers: [JSONValue.Member] {
    [
      .init("position", .integer(number)), .init("line", .integer(line)),
      .init("byte", .integer(byte)),
    ]
  }
}

extension JSONValue {
  /// An object with more members.
  fileprivate static func + (object: JSONValue, members: [Member]) -> JSONValue {
    guard case .object(let first) = object else { return object }
    return .object(first + members)
  }
}
