import CSQLite

/// SpatiaLite, loaded when it is needed: `libspatialite` is opened at run time, so that the program
/// starts as fast and on as many systems as without it.
///
/// Opening it takes about 30 ms, since it needs GEOS and PROJ.
package enum SpatiaLiteModule {
  /// Adds SpatiaLite's functions and virtual tables to a connection, which gives their memory back
  /// when it closes. Loading twice is allowed and changes nothing.
  ///
  /// Neither the file nor the connection's options change (``Connection/harden(_:)``): SpatiaLite's
  /// own triggers and views do not run until their owner enables them.
  ///
  /// - Throws: ``SpatiaLiteFailure`` if there is no SpatiaLite that this program can use.
  package static func load(into connection: Connection) throws(SpatiaLiteFailure) {
    guard !isLoaded(into: connection) else { return }
    let library = try SpatiaLiteLibrary.shared.get()
    // Sound: freed once, by the destructor: SQLite calls it when it closes the connection and none
    // of SpatiaLite's functions can run any more, or at once if this call fails. The library is
    // never closed.
    guard let memory = library.allocate() else { throw .outOfMemory }
    let code = sqlite3_create_function_v2(
      connection.handle, owner, 0, SQLITE_UTF8, memory,
      { context, _, _ in sqlite3_result_null(context) }, nil, nil,
      { memory in
        if case .success(let library) = SpatiaLiteLibrary.shared { library.cleanUp(memory) }
      })
    guard code == SQLITE_OK else { throw .outOfMemory }
    library.initialize(connection.handle, memory, 0)
    guard isLoaded(into: connection) else {
      throw .unusable(file: library.name, reason: "it has not added its functions")
    }
  }

  /// The version of SpatiaLite, such as `5.0.1`.
  ///
  /// - Throws: ``SpatiaLiteFailure`` if there is no SpatiaLite that this program can use.
  package static func version() throws(SpatiaLiteFailure) -> String {
    let library = try SpatiaLiteLibrary.shared.get()
    // Sound: the text is a constant of the library, which is never closed.
    return library.version().map { String(cString: $0) } ?? ""
  }

  /// A function that owns the memory of the others.
  private static let owner = "roqua_spatialite_memory"

  private static func isLoaded(into connection: Connection) -> Bool {
    (try? connection.text("SELECT spatialite_version()")) != nil
  }
}

/// The reason why SpatiaLite cannot be used.
package enum SpatiaLiteFailure: Error, Hashable, CustomStringConvertible {
  /// No file of that name was found.
  case missing
  /// The program is linked statically and cannot open libraries.
  case staticProgram
  /// A file was found, but it cannot be used.
  case unusable(file: String, reason: String)
  /// SpatiaLite has no memory for another connection.
  case outOfMemory

  /// One sentence: what is missing, and what to do.
  package var description: String {
    switch self {
    case .missing:
      "SpatiaLite is not installed: install libspatialite (on Debian and Ubuntu: apt install "
        + "libspatialite-dev; with Homebrew: brew install libspatialite)."
    case .staticProgram:
      "This program is linked statically and cannot load SpatiaLite: use the one of the Debian "
        + "package, or build it from source."
    case .unusable(let file, let reason):
      "SpatiaLite cannot be used: \(file): \(reason)."
    case .outOfMemory: "SpatiaLite has no memory for another connection."
    }
  }
}
