/// What the store's table of sources says about a source, as a file holds it.
package struct RowState: Joinable {
  /// Its revision: the higher one counts.
  package var revision: UInt64
  /// The digest of the content, which decides between equal revisions: the smaller one counts.
  package var digest: Digest
  /// The file.
  package var file: FileReference

  /// Creates a row.
  package init(revision: UInt64, digest: Digest, file: FileReference) {
    (self.revision, self.digest, self.file) = (revision, digest, file)
  }

  /// Takes the row that counts.
  package mutating func join(_ other: Self) {
    if (revision, other.digest, other.file) < (other.revision, digest, file) { self = other }
  }
}

/// A source that is not forgotten.
package struct PresentSource: Joinable {
  /// The number of times that the source was replaced as a whole: only the highest counts.
  package var generation: UInt64
  /// What a privacy zone or an erased area keeps out of the store, 0...3, as in the store's table.
  /// The highest counts.
  package var withheld: UInt8
  /// The row.
  package var row: RowState
  /// The pieces by number: an import has one, and a recording gets more as it grows.
  package var pieces: [PieceState]

  /// Creates a source.
  package init(generation: UInt64, withheld: UInt8, row: RowState, pieces: [PieceState]) {
    (self.generation, self.withheld) = (generation, withheld)
    (self.row, self.pieces) = (row, pieces)
  }

  /// Takes the higher generation, or joins what both say about the same one.
  package mutating func join(_ other: Self) {
    guard generation == other.generation else {
      if generation < other.generation { self = other }
      return
    }
    withheld = max(withheld, other.withheld)
    row.join(other.row)
    for (index, piece) in other.pieces.enumerated() {
      if index == pieces.count {
        pieces += other.pieces[index...]
        break
      }
      pieces[index].join(piece)
    }
  }

  /// Whether any piece has several alternatives.
  package var hasConflict: Bool { pieces.contains(where: \.isConflict) }

  /// Whether any file of the row or of an alternative of a piece satisfies a condition.
  package func hasFile(where isWanted: (FileReference) -> Bool) -> Bool {
    isWanted(row.file)
      || pieces.contains { piece in piece.alternatives.contains { isWanted($0.file) } }
  }

  /// The files of the row and of all alternatives of all pieces.
  package var files: Set<FileReference> {
    Set([row.file] + pieces.flatMap { $0.alternatives.map(\.file) })
  }
}

/// What the devices know about a source.
package enum SourceState: Joinable {
  /// The source is stored.
  case present(PresentSource)
  /// The source was forgotten, for ever.
  case forgotten

  /// Joins what both say; forgotten wins.
  package mutating func join(_ other: Self) {
    switch (self, other) {
    case (.forgotten, _): break
    case (_, .forgotten): self = .forgotten
    case (.present(var source), .present(let added)):
      self = .forgotten  // releases the array, so that it is changed in place
      source.join(added)
      self = .present(source)
    }
  }

  /// The source, unless it is forgotten.
  package var present: PresentSource? {
    guard case .present(let source) = self else { return nil }
    return source
  }

  /// The files that hold the source; none if it is forgotten.
  package var files: Set<FileReference> { present?.files ?? [] }
}
