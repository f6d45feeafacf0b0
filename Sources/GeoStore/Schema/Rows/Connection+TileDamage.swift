import SQLiteLayer

extension Connection {
  /// Returns the error for a source's tile with an impossible number of cells.
  func damageOfSourceTile() throws(DatabaseError) -> DatabaseError {
    try damage(
      of: "cells", in: "source_tiles", row: "'source ' || source_id || ', tile ' || key",
      range: StoredRange.tileCells)
  }
}
