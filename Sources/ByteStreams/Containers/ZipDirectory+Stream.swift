/// The directory of an archive that is read as a stream.
extension ZipDirectory {
  /// Reads the records behind the last member, up to the end of the end record and its comment.
  ///
  /// - Returns: false if the stream ends before, or something else is among the records.
  /// - Complexity: O(bytes); a record's fixed part is in memory at once.
  static func skip(_ feed: ByteFeed) throws(StreamError) -> Bool {
    while try feed.fill(4) {
      switch Array(feed.unread.prefix(4)).number(at: 0, count: 4) {
      case ZipHeader.Signature.central:
        guard let bytes = try feed.take(ZipHeader.centralBytes) else { return false }
        let header = ZipHeader(central: bytes)
        let rest = header.nameBytes + header.extraBytes + header.commentBytes
        guard try feed.skip(rest) else { return false }
      case ZipHeader.Signature.end:
        guard let bytes = try feed.take(ZipHeader.endBytes) else { return false }
        return try feed.skip(Int(bytes.number(at: 20, count: 2)))
      case ZipHeader.Signature.zip64Locator:
        guard try feed.skip(ZipHeader.zip64LocatorBytes) else { return false }
      case ZipHeader.Signature.zip64End: guard try skipRecord(feed, 8) else { return false }
      case ZipHeader.Signature.extraData: guard try skipRecord(feed, 4) else { return false }
      case ZipHeader.Signature.digital: guard try skipRecord(feed, 2) else { return false }
      default: return false
      }
    }
    return false
  }

  /// Skips a record of a signature, the number of bytes behind that number, and these bytes.
  private static func skipRecord(
    _ feed: ByteFeed, _ numberBytes: Int
  ) throws(StreamError) -> Bool {
    guard let bytes = try feed.take(4 + numberBytes),
      let count = Int(exactly: bytes.number(at: 4, count: numberBytes))
    else { return false }
    return try feed.skip(count)
  }
}
