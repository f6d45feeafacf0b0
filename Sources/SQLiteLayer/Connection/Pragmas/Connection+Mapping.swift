extension Connection {
  /// Runs `body`, which reads much of the file once, with the file mapped into memory: pages are not
  /// copied, and do not push others out of the cache.
  ///
  /// Otherwise a writer maps nothing. SQLite checks all cells of a mapped page each time that it is
  /// reached, those of a cached one only when it is read; the check (`cell_size_check`) is off
  /// meanwhile. It finds damage early, before a change spreads it, and nothing is changed here.
  ///
  /// - Precondition: `body` changes nothing.
  package func mappingFile<T>(
    _ body: () throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    let before = try integer("PRAGMA mmap_size") ?? 0
    guard before < Pragmas.mappedBytes else { return try body() }
    try execute("PRAGMA mmap_size = \(Pragmas.mappedBytes); PRAGMA cell_size_check = OFF")
    // Failing to unmap costs memory. The other cannot fail.
    defer { try? execute("PRAGMA cell_size_check = ON; PRAGMA mmap_size = \(before)") }
    return try body()
  }
}
