#if SpatiaLite
  import CSQLite
  import TestSupport
  import Testing

  @testable import SQLiteLayer

  @Suite struct SpatiaLiteModuleTests {
    private func connection(_ folder: TemporaryFolder) throws -> Connection {
      try Connection(
        path: folder.file("a.sqlite"), flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    }

    @Test func `SpatiaLite's functions work on a connection that has loaded it, and on no other`()
      throws
    {
      let folder = try TemporaryFolder()
      let (spatial, plain) = (try connection(folder), try connection(folder))
      try SpatiaLiteModule.load(into: spatial)
      let text = try spatial.text("SELECT AsText(ST_Buffer(MakePoint(7, 51), 0.5)) LIKE 'POLYGON%'")
      #expect(text == "1")
      #expect(try spatial.text("SELECT spatialite_version()") == SpatiaLiteModule.version())
      #expect(throws: DatabaseError.self) { try plain.text("SELECT spatialite_version()") }
    }

    @Test func `Loading twice changes nothing, and hundreds of connections can load and close`()
      throws
    {
      let folder = try TemporaryFolder()
      // SpatiaLite has memory for 64 connections at a time.
      for _ in 0..<200 {
        let spatial = try connection(folder)
        try SpatiaLiteModule.load(into: spatial)
        try SpatiaLiteModule.load(into: spatial)
        let line = "MakeLine(MakePoint(0, 0), MakePoint(1, 1))"
        #expect(try spatial.integer("SELECT ST_NPoints(\(line))") == 2)
      }
    }

    @Test func `A failure is one sentence`() {
      let failures: [SpatiaLiteFailure] = [
        .missing, .staticProgram, .outOfMemory, .unusable(file: "x.so", reason: "it has no y"),
      ]
      for failure in failures {
        #expect(failure.description.hasSuffix("."))
        #expect(!failure.description.contains("\n"))
      }
    }
  }
#endif
