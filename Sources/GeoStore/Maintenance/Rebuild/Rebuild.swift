import SQLiteLayer

/// Builds regions, visits and coverage from the data of the sources. ``WriteSession/rebuild()``
/// writes them into the store itself, ``Store/check(isQuick:)`` into a separate database.
enum Rebuild {
  /// Reads the store's own data from one connection and writes the derived data into another, or
  /// the same one, within a transaction and into empty tables.
  ///
  /// - Complexity: O(kept fixes); memory does not grow with the store.
  static func run(
    from truth: Connection, into target: Connection, changes: RegionChanges = RegionChanges(),
    settings: StoreSettings, options: StoreOptions
  ) throws(DatabaseError) {
    let meter = WorkMeter.current
    meter?.begin(
      .rebuilding, of: Int(try truth.integer("SELECT count(*) FROM kept_fixes") ?? 0))
    try truth.forEachSourceTile(of: settings.grid) { (_, key, tile) throws(DatabaseError) in
      _ = try target.joinCoverageTile(tile, at: key)
    }
    let adopted = AdoptedRegions(truth: truth, target: target, settings: settings, options: options)
    let hasAdopted = try !adopted.isEmpty
    if hasAdopted {
      let coverage = try CoverageTileWriter(
        connection: target, changes: nil, settings: settings)
      try adopted.write(coverage: coverage)
      try coverage.flush()
    }
    let derived = try DerivedTables(
      connection: target, changes: changes, settings: settings, options: options)
    if hasAdopted {
      try adopted.forEachPosition { (fix, source) throws(DatabaseError) in
        derived.startCounting(source: source)
        try derived.take([fix])
      }
    }
    try truth.forEachChunkOfKeptFixes { (fixes, source) throws(DatabaseError) in
      derived.startCounting(source: source)
      try derived.take(fixes)
      meter?.add(1)
    }
    try derived.flush()
  }
}
