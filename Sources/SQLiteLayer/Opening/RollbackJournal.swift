/// A rollback journal, read without SQLite (https://www.sqlite.org/fileformat.html, section 3):
/// pages as they were before a transaction that did not end. SQLite cannot look at the database
/// without putting them back.
package enum RollbackJournal {
  private static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
  /// Magic, number of records, a random number, pages of the database before, bytes of a sector and
  /// of a page.
  private static let headerBytes = 28
  /// What stands around the page in a record: its number and a sum.
  private static let recordOverheadBytes = 8

  /// The first page as it was before; nil where there is no journal that SQLite would put back, or
  /// the page is not in it.
  ///
  /// - Complexity: O(records), of which only the numbers are read.
  package static func firstPage(path: String) -> FirstPage? {
    guard let file = SideFile(path: path) else { return nil }
    var start = 0
    while let header = file.bytes(at: start, count: headerBytes), header[..<8] == magic[...] {
      let sector = Int(header.bigEndian(at: 20))
      let page = Int(header.bigEndian(at: 24))
      guard sector.nonzeroBitCount == 1, (32...65_536).contains(sector), page.nonzeroBitCount == 1,
        (512...65_536).contains(page)
      else { return nil }
      // 0xFFFF_FFFF: as many as the file has.
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
      // The next header stands at the beginning of a sector.
      start = (offset + sector - 1) / sector * sector
    }
    return nil
  }
}
