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
}
