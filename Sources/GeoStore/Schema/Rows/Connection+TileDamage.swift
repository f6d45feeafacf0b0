import SQLiteLayer

extension Connection {
  /// The error for a tile of a source with a number of cells that none has.
  func damageOfSourceTile() throws(DatabaseError) -> DatabaseError {
    try damage(
      of: "cells", in: "source_tiles", row: "'source ' || source_id || ', tile ' || key",
      range: StoredRange.tileCells)
  }
}
