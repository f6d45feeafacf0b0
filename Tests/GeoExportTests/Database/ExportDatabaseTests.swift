import ByteStreams
import SQLiteLayer
import Testing

@testable import GeoExport

@Suite struct ExportDatabaseTests {
  @Test func `a full disk has the same reason in a database as in another file`() {
    let reason = FileFailure(path: "a", code: 28 /* ENOSPC */).reason
    #expect(throws: ExportFailure.failed(reason: reason)) {
      try ExportDatabase.rethrowing { () throws(DatabaseError) in
        throw DatabaseError.diskFull(path: "a")
      }
    }
  }
}
