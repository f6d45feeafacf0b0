import GeoStore

/// What each piece becomes.
extension Apply {
  /// Plans a piece that the store has.
  mutating func planHeld(
    _ piece: PieceState, _ place: PiecePlan.Place, _ id: Int64, into plan: inout PiecePlan
  ) throws {
    guard let held = local.held[place.name]?.pieces[place.number] else { return }
    let kept = held.chunks.map { PiecePlan.Content.stored($0) }
    if let version = piece.version, version.digest == held.content {
      return plan.add(place, at: piece.position, of: id, kept)
    }
    let stored = try StoredContent(
      held.chunks, number: place.number, ofSource: id, in: session.history)
    guard let target = try target(of: piece, place, stored: (held.content, stored)),
      target.digest != held.content
    else { return plan.add(place, at: piece.position, of: id, kept) }
    plan.changed[place] = (target.digest, target.content.count)
    touched.insert(id)
    changedByMany.insert(id)
    let (new, brought) = try reading(target.path) {
      (try target.content.fixes(), try target.content.brought())
    }
    if place.number == 0, brought != stored.brought { plan.brought[id] = (target.path, brought) }
    var content = PiecePlan.Content.computed(target.content.chunks)
    if let chunks = held.chunks {
      if let removed = Self.removed(from: try stored.fixes(), to: new) {
        plan.reduced.append(ReducedRun(source: id, chunks: chunks, fixes: new, removed: removed))
        content = .stored(chunks)
      } else {
        plan.dropped.append(ArrangedRun(source: id, content: .stored(chunks)))
      }
    }
    if new.isEmpty { local.held[place.name]?.pieces[place.number].chunks = nil }
    plan.add(place, at: piece.position, of: id, new.isEmpty ? nil : content)
  }

  /// Plans a piece that is new here. Returns false if its files are not there.
  mutating func planNew(
    _ piece: PieceState, _ place: PiecePlan.Place, _ id: Int64, into plan: inout PiecePlan
  ) throws -> Bool {
    guard try isUsable(piece, of: place.name), let target = try target(of: piece, place) else {
      return false
    }
    let brought = try reading(target.path) { try target.content.brought() }
    if !brought.isEmpty { plan.brought[id] = (target.path, brought) }
    plan.changed[place] = (target.digest, target.content.count)
    touched.insert(id)
    local.held[place.name]?.pieces.append(
      HeldPiece(
        chunks: nil, stored: Digest(high: 0, low: 0), content: target.digest,
        count: target.content.count))
    let packed = target.content.chunks
    changes.fixesAdded += packed.reduce(0) { $0 + $1.count }
    // A file is read again when its turn comes, so that not all contents are in memory.
    let content = piece.version.map { PiecePlan.Content.file($0.file) } ?? .computed(packed)
    plan.add(place, at: piece.position, of: id, packed.isEmpty ? nil : content)
    return true
  }

  /// The content that a piece gets, and its digest; nil if the files for it are not there.
  ///
  /// If several devices erased different things from it, the content is what all of them left, and
  /// that is from now on what this device says.
  ///
  /// - Parameter stored: what the store has of it, with its digest.
  private mutating func target(
    of piece: PieceState, _ place: PiecePlan.Place,
    stored: (digest: Digest, content: StoredContent)? = nil
  ) throws -> (content: PieceContent, digest: Digest, path: SyncPath)? {
    var found: [(version: PieceVersion, content: PieceContent)] = []
    for version in piece.alternatives {
      if let stored, version.digest == stored.digest {
        found.append((version, try stored.content.content()))
      } else if let content = try payload(version.file, of: place.name)?.piece {
        guard content.digest == version.digest, content.count == version.count else {
          throw UnreadableFile(
            path: .source(place.name, version.file.name),
            underlying: SyncFormatError(.notAuthentic, in: "piece", at: 0))
        }
        found.append((version, content))
      } else {
        return nil
      }
    }
    let path = SyncPath.source(place.name, piece.alternatives[0].file.name)
    guard found.count > 1 else { return (found[0].content, found[0].version.digest, path) }
    let rest = try reading(path) { try Intersection(found).content }
    // If it is as large as one of them, it is that one.
    let (version, content) =
      found.first { $0.version.count == rest.count } ?? (
        PieceVersion(
          revision: piece.revision, isErased: true, digest: rest.digest, count: rest.count,
          file: files.reference(to: SourcePayload(row: nil, piece: rest).bytes)), rest
      )
    guard case .present(var source) = local.shared.sources[place.name] else { return nil }
    source.pieces[place.number].replaceAlternatives(with: version)
    local.shared.sources[place.name] = .present(source)
    return (content, version.digest, path)
  }

  /// The keys of the fixes that must go so that new fixes are left; nil if something else differs.
  private static func removed(from old: [KeptFix], to new: [KeptFix]) -> Set<FixKey>? {
    let left = Set(new.map(FixKey.init))
    let removed = Set(old.lazy.map(FixKey.init).filter { !left.contains($0) })
    let staying = old.filter { left.contains(FixKey($0)) }
    guard staying.count == new.count else { return nil }
    for (var fix, other) in zip(staying, new) {
      // A cut may make it start a segment.
      if other.startsSegment { fix.startsSegment = true }
      if fix != other { return nil }
    }
    return removed.isEmpty ? nil : removed
  }
}
