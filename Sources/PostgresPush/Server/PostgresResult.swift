/// The rows of a statement, as text.
final class PostgresResult {
  private let library: LibPQ
  private let handle: LibPQ.Result

  /// Takes over a result, which is freed with this.
  init(_ handle: LibPQ.Result, of library: LibPQ) {
    (self.handle, self.library) = (handle, library)
  }

  deinit { library.clear(handle) }

  /// The number of rows.
  var count: Int { Int(library.rowCount(handle)) }

  /// The number of rows that a statement has written or deleted.
  var changedCount: Int { Int(CStrings.text(library.changedRows(handle))) ?? 0 }

  /// The value in a row and a column; nil for NULL.
  subscript(row: Int, column: Int) -> String? {
    if library.isNull(handle, Int32(row), Int32(column)) == 1 { return nil }
    return CStrings.text(library.value(handle, Int32(row), Int32(column)))
  }
}
