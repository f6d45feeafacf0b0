import Geodesy

/// The lines through the kept fixes of a segment, divided as in exports: at a step of a flight, at
/// one of more than ``TrackLine/longestStepMeters``, and at ±180°.
struct TrackLines {
  /// Longitude, latitude, longitude, latitude, … in degrees.
  private var coordinates: [Double] = []
  /// For each line, the number of positions up to its end.
  private var ends: [Int] = []
  private var last: Coordinate?

  private var count: Int { coordinates.count / 2 }
  /// The first position of the line that is not ended.
  private var start: Int { ends.last ?? 0 }

  /// Removes all lines and keeps the memory.
  mutating func removeAll() {
    coordinates.removeAll(keepingCapacity: true)
    ends.removeAll(keepingCapacity: true)
    last = nil
  }

  /// Adds the next fix.
  ///
  /// - Parameter isFlown: whether no line leads to it, because the step is part of a flight.
  mutating func add(_ coordinate: Coordinate, isFlown: Bool) {
    if let last {
      if isFlown || Self.isGap(from: last, to: coordinate) {
        endLine()
      } else if let crossing = TrackLine.Crossing(from: last, to: coordinate) {
        cross(crossing)
      }
    }
    append(coordinate.longitudeDegrees, coordinate.latitudeDegrees)
    last = coordinate
  }

  /// Ends the last line. One whose positions are all the same is not valid, and left out.
  mutating func endLine() {
    let first = 2 * start
    let hasLength = stride(from: first + 2, to: coordinates.count, by: 2).contains { place in
      coordinates[place] != coordinates[first] || coordinates[place + 1] != coordinates[first + 1]
    }
    if hasLength {
      ends.append(count)
    } else {
      coordinates.removeSubrange(first...)
    }
  }

  private mutating func append(_ longitude: Double, _ latitude: Double) {
    coordinates.append(longitude)
    coordinates.append(latitude)
  }

  private mutating func cross(_ crossing: TrackLine.Crossing) {
    let (edge, latitude) = (crossing.edgeDegrees, crossing.latitudeDegrees)
    if crossing.share == 0, count == start + 1 {
      // The line begins on the meridian: on its other side.
      coordinates[2 * start] = -edge
      return
    }
    if crossing.share > 0 { append(edge, latitude) }
    endLine()
    if crossing.share < 1 { append(-edge, latitude) }
  }

  private static func isGap(from start: Coordinate, to end: Coordinate) -> Bool {
    // 0.02° are at most 2.24 km, both ways together 3.2 km: most steps need no sine.
    let north = Int64(end.latitudeE7) - Int64(start.latitudeE7)
    let east = Int64(end.longitudeE7) - Int64(start.longitudeE7)
    if abs(north) <= 200_000, abs(east) <= 200_000 { return false }
    return start.distanceMeters(to: end) > TrackLine.longestStepMeters
  }

  /// The lines as a MultiLineString of SpatiaLite in EPSG 4326; nil if there are none.
  ///
  /// The blob is `00 01`, the number of the coordinate system, the bounds (minimum x, minimum y,
  /// maximum x, maximum y), `7C`, the kind and the number of lines; for each line `69`, its kind,
  /// the number of its positions and these, x first; and `FE`. All numbers are little-endian.
  ///
  /// - Source: "BLOB-Geometry internal format", the SpatiaLite project.
  var geometry: [UInt8]? {
    guard !ends.isEmpty else { return nil }
    var bytes: [UInt8] = [0x00, 0x01]
    bytes.reserveCapacity(48 + 9 * ends.count + 8 * coordinates.count)
    bytes.append(number: Int32(4326))
    for edge in bounds { bytes.append(number: edge.bitPattern) }
    bytes.append(0x7C)
    bytes.append(number: Int32(5))
    bytes.append(number: Int32(ends.count))
    var first = 0
    for end in ends {
      bytes.append(0x69)
      bytes.append(number: Int32(2))
      bytes.append(number: Int32(end - first))
      for place in 2 * first..<2 * end { bytes.append(number: coordinates[place].bitPattern) }
      first = end
    }
    bytes.append(0xFE)
    return bytes
  }

  /// Minimum x, minimum y, maximum x, maximum y.
  private var bounds: [Double] {
    var bounds: [Double] = [.infinity, .infinity, -.infinity, -.infinity]
    for place in stride(from: 0, to: coordinates.count, by: 2) {
      bounds[0] = min(bounds[0], coordinates[place])
      bounds[1] = min(bounds[1], coordinates[place + 1])
      bounds[2] = max(bounds[2], coordinates[place])
      bounds[3] = max(bounds[3], coordinates[place + 1])
    }
    return bounds
  }
}

extension [UInt8] {
  /// Appends a number, its lowest byte first.
  fileprivate mutating func append(number: some FixedWidthInteger) {
    // Sound: the bytes are copied during the call.
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
