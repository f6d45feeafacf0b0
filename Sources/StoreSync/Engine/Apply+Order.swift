import GeoStore

/// The order of the fixes.
extension Apply {
  /// Gives the fixes of the store the order of all devices, with those that are new here.
  ///
  /// - Parameter cut: the sources of whose stored fixes a privacy zone kept out the last one.
  mutating func arrange(_ plan: PiecePlan, cut: Set<Int64>) throws {
    let items = plan.itemsInOrder
    var kept = 0
    var last: Int64 = 0
    while kept < items.count, case .stored(let chunks) = items[kept].content,
      chunks.lowerBound > last,
      try session.history.chunkCount(from: last + 1, to: chunks.lowerBound - 1) == 0
    {
      last = chunks.upperBound
      kept += 1
    }
    let rest = Array(items[kept...])
    guard !rest.isEmpty || !plan.dropped.isEmpty else { return }
    let runs = rest.map { item in
      if case .stored(let chunks) = item.content {
        return ArrangedRun(source: item.source, content: .stored(chunks))
      }
      return ArrangedRun(source: item.source, content: .new)
    }
    var reader = self
    let (stored, isRebuildNeeded) = try session.arrange(
      after: last, runs, dropping: plan.dropped, cut: cut, isDerived: !mustRebuild
    ) { index in
      switch rest[index].content {
      case .computed(let packed): return packed
      case .file(let file):
        return try reader.payload(file, of: rest[index].place.name)?.piece?.chunks ?? []
      case .stored: return []
      }
    }
    if isRebuildNeeded { mustRebuild = true }
    for (item, run) in zip(rest, stored) {
      local.held[item.place.name]?.pieces[item.place.number].chunks = run.chunks
      if run.isWithheld {
        changedByZone.insert(item.place)
        local.deletions = -1
        withheld.insert(item.source)
      }
      touched.insert(item.source)
    }
  }

  /// Notes what is stored now of the pieces that changed. What a privacy zone kept out is found by
  /// the next capture, because the digests of what is stored differ then.
  mutating func noteStored(_ plan: PiecePlan) throws {
    for (place, target) in plan.changed {
      guard let held = local.held[place.name] else { continue }
      let piece = held.pieces[place.number]
      let stored = try StoredContent(
        piece.chunks, number: place.number, ofSource: held.id, in: session.history)
      let count = stored.count
      local.held[place.name]?.pieces[place.number].content = target.digest
      local.held[place.name]?.pieces[place.number].count = target.count
      // Equal counts do not show that the first fix starts a segment because of a zone.
      let isWhole = count == target.count && !changedByZone.contains(place)
      local.held[place.name]?.pieces[place.number].stored =
        isWhole ? stored.stored : Digest(high: 0, low: 0)
      if !isWhole { local.deletions = -1 }
    }
  }

  /// The numbers of the sources in the order of their first pieces.
  func idsInOrder() -> [Int64] {
    local.held.compactMap { name, held -> (PiecePosition, Int64)? in
      local.shared.sources[name]?.present?.pieces.first.map { ($0.position, held.id) }
    }.sorted { $0 < $1 }.map(\.1)
  }
}
