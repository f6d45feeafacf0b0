/// One content of a piece, and the file that holds it.
package struct PieceVersion: Hashable, Sendable {
  /// Its revision: a device that changes the piece counts up. Of contents from which nothing was
  /// erased, the highest revision counts.
  package var revision: UInt64
  /// Whether something was erased from the piece, by a privacy zone or with an area.
  package var isErased: Bool
  /// The digest of the content.
  package var digest: Digest
  /// The number of kept fixes, cells and regions of the content: what erasing makes smaller.
  package var count: UInt64
  /// The file.
  package var file: FileReference

  /// Creates a version.
  package init(
    revision: UInt64, isErased: Bool, digest: Digest, count: UInt64, file: FileReference
  ) {
    (self.revision, self.isErased, self.digest) = (revision, isErased, digest)
    (self.count, self.file) = (count, file)
  }

  /// The order of erased contents: the smaller content first. It depends on nothing but the
  /// content, so what one content absorbs never absorbs it back.
  var erasedOrder: (UInt64, Digest) { (count, digest) }

  /// Whether this version counts more than another one from which nothing was erased either.
  func outweighs(_ other: Self) -> Bool {
    (other.revision, digest, count) < (revision, other.digest, other.count)
  }

  /// Takes the higher revision of another version with the same content, and its file; of two files
  /// of one revision the smaller.
  mutating func joinSame(_ other: Self) {
    if revision == other.revision {
      file = min(file, other.file)
    } else if revision < other.revision {
      (revision, file) = (other.revision, other.file)
    }
  }
}

/// A piece of a source: the kept fixes that one import or one part of a recording gave it.
///
/// As long as nothing was erased from it, it has one version. If two devices erased different
/// things, both versions are kept, until a device stores their intersection, which *absorbs* them.
///
/// The state is a set of versions that only grows, less what need not be kept: if any version is
/// erased, those that are not; and absorbed versions, except for the smallest of all. So
/// the join is associative, and there is always a version.
package struct PieceState: Joinable {
  /// The place of the piece in the order of import: the smallest that any device gave it.
  package private(set) var position: PiecePosition
  /// The versions that count: one, or several erased ones that nobody has intersected yet, by
  /// count and digest.
  package private(set) var alternatives: [PieceVersion]
  /// The digests of erased versions that an intersection has replaced, sorted.
  package private(set) var absorbed: [Digest]

  /// Creates a piece. Without an erased version, nothing is absorbed.
  ///
  /// - Precondition: there is a version.
  package init(
    position: PiecePosition, alternatives: [PieceVersion], absorbed: some Sequence<Digest> = []
  ) {
    precondition(!alternatives.isEmpty, "a piece has a version")
    self.position = position
    self.alternatives = Array(alternatives.prefix(1))
    self.absorbed = alternatives.contains(where: \.isErased) ? Set(absorbed).sorted() : []
    if alternatives.count > 1 { add(alternatives.dropFirst()) }
  }

  /// Creates a piece with one version.
  package init(position: PiecePosition, version: PieceVersion) {
    (self.position, alternatives, absorbed) = (position, [version], [])
  }

  /// Whether several devices erased different things, and nobody has intersected what is left.
  package var isConflict: Bool { alternatives.count > 1 }

  /// The version that counts; nil in a conflict.
  package var version: PieceVersion? { isConflict ? nil : alternatives[0] }

  /// The highest revision of all versions.
  package var revision: UInt64 { alternatives.reduce(0) { max($0, $1.revision) } }

  /// Joins the versions, and takes the smaller position.
  package mutating func join(_ other: Self) {
    position = min(position, other.position)
    if !other.absorbed.isEmpty, other.absorbed != absorbed {
      absorbed = absorbed.isEmpty ? other.absorbed : Set(absorbed).union(other.absorbed).sorted()
      add(other.alternatives[...])
    } else if other.alternatives != alternatives {
      add(other.alternatives[...])
    }
  }

  /// The alternative that an intersection with this number of kept fixes, cells and regions is
  /// equal to; nil if it is smaller than all of them.
  package func alternative(withCount count: UInt64) -> PieceVersion? {
    alternatives.first { $0.isErased && $0.count == count }
  }

  /// Replaces all alternatives by what is left of them: by their intersection after a conflict, or
  /// by what is left after this device erased more.
  ///
  /// - Parameter rest: a content that all alternatives contain. If one of them is as large, it must
  ///   be ``alternative(withCount:)``, though it may name another file.
  /// - Precondition: the rest is erased, and not larger than any alternative.
  package mutating func replaceAlternatives(with rest: PieceVersion) {
    let erased = alternatives.filter(\.isErased)
    precondition(
      rest.isErased && erased.allSatisfy { rest.erasedOrder <= $0.erasedOrder },
      "what is left is not larger than what it replaces")
    let replaced = erased.map(\.digest).filter { $0 != rest.digest }
    absorbed = Set(absorbed).union(replaced).sorted()
    add([rest])
  }

  /// Adds versions, and keeps those that count.
  private mutating func add(_ versions: ArraySlice<PieceVersion>) {
    for version in versions { add(version) }
    guard alternatives.count > 1 else { return }
    if alternatives.count > 2 || !(alternatives[0].erasedOrder < alternatives[1].erasedOrder) {
      alternatives.sort { $0.erasedOrder < $1.erasedOrder }
    }
    guard !absorbed.isEmpty else { return }
    let gone = Set(absorbed)
    alternatives = [alternatives[0]] + alternatives.dropFirst().filter { !gone.contains($0.digest) }
  }

  private mutating func add(_ version: PieceVersion) {
    guard let first = alternatives.first, first.isErased == version.isErased else {
      // Erased wins over not erased.
      if version.isErased { alternatives = [version] }
      return
    }
    if let index = alternatives.firstIndex(where: {
      $0.digest == version.digest && $0.count == version.count
    }) {
      if version.isErased || first.revision == version.revision {
        alternatives[index].joinSame(version)
      } else if version.outweighs(first) {
        alternatives = [version]
      }
    } else if version.isErased {
      alternatives.append(version)
    } else if version.outweighs(first) {
      alternatives = [version]
    }
  }
}
