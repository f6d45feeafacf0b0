/// Reads a rollback journal without SQLite (https://www.sqlite.org/fileformat.html, section 3):
/// pages in their state before an unfinished transaction. SQLite itself cannot read the database
/// without restoring them.
package enum RollbackJournal {
  private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
  /// Size of the magic number, number of records, a random number, number of pages of the database
  /// before, and sizes of a sector and a page.
  private static let headerBytes = 28
  /// Size of a page's number and checksum, which surround the page in a record.
  private static let recordOverheadBytes = 8

  /// Returns the first page in its state before the transaction; nil if there is no journal that
  /// SQLite would restore, or the page is not in it.
  ///
  /// - Complexity: O(records), reading only their page numbers.
  package static func firstPage(path: String) -> FirstPage? {
    guard let file = SideFile(path: path) else { return nil }
    var start = 0
    while let header = file.bytes(at: start, count: headerBytes), header[..<8] == magic[...] {
      let sector = Int(header.bigEndian(at: 20))
      let page = Int(header.bigEndian(at: 24))
      guard sector.nonzeroBitCount == 1, (32...65_536).contains(sector), page.nonzeroBitCount == 1,
        (512...65_536).contains(page)
      else { return nil }
      // 0xFFFF_FFFF means all records in the file.
      var left = header.bigEndian(at: 8)
      var offset = start + sector
      while left > 0, let number = file.bytes(at: offset, count: 4) {
        if number.bigEndian(at: 0) == 1 {
          return file.bytes(at: offset + 4, count: FirstPage.bytes).flatMap { FirstPage($0) }
        }
        offset += page + recordOverheadBytes
        left -= 1
      }
      guard left == 0 else { return nil }
      // The next header is at the start of a sector.
      start = (offset + sector - 1) / sector * sector
    }
    return nil
  }
}
