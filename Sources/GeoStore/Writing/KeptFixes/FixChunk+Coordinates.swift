import Geodesy

extension FixChunk {
  /// Replaces `positions` by the positions of the encoded fixes, without decoding the rest.
  ///
  /// - Throws: ``PackedBytesError`` if the positions cannot be read. The bytes after them are not
  ///   checked.
  static func decodeCoordinates(
    _ bytes: UnsafeRawBufferPointer, into positions: inout [Coordinate]
  ) throws(PackedBytesError) {
    positions.removeAll(keepingCapacity: true)
    var reader = ByteReader(bytes)
    let header = try Header(&reader, byteCount: bytes.count)
    let latitudes = try reader.column(header.count)
    let longitudes = try reader.column(header.count, modulo: Coordinate.unitsPerTurn)
    for index in 0..<header.count {
      guard let latitude = Int32(exactly: latitudes[index]),
        let longitude = Int32(exactly: longitudes[index]),
        let position = Coordinate(latitudeE7: latitude, longitudeE7: longitude)
      else { throw .malformed }
      positions.append(position)
    }
  }

  /// Returns the number of encoded fixes and their southernmost and northernmost latitudes, in
  /// units of 1e-7 degree, without decoding the rest. The latitudes are nil if there are no fixes.
  ///
  /// - Throws: ``PackedBytesError`` if the latitudes cannot be read. The bytes after them are not
  ///   checked.
  static func decodeLatitudes(
    _ bytes: UnsafeRawBufferPointer
  ) throws(PackedBytesError) -> (count: Int, latitudesE7: ClosedRange<Int32>?) {
    var reader = ByteReader(bytes)
    let header = try Header(&reader, byteCount: bytes.count)
    let latitudes = try reader.column(header.count)
    guard let south = latitudes.min(), let north = latitudes.max() else { return (0, nil) }
    guard let south = Int32(exactly: south), let north = Int32(exactly: north),
      Coordinate(latitudeE7: south, longitudeE7: 0) != nil,
      Coordinate(latitudeE7: north, longitudeE7: 0) != nil
    else { throw .malformed }
    return (header.count, south...north)
  }
}
