import Geodesy

/// Packs kept fixes into bytes, column by column.
///
/// Byte layout (`docs/formats/kept-fixes.md`; V is a LEB128 varint, Z a zigzag varint):
/// 1. version, one byte: 1
/// 2. flags, one byte (``Flags``)
/// 3. V count; V number of segment starts, then V index of each, less the one before
/// 4. Z latitude, Z longitude of the first fix (1e-7 degree), then for each next fix Z of the difference:
///    all latitudes, then all longitudes. Longitude differences take the short way round.
/// 5. with `hasTimes`: with `someUndated` a bit for each fix, 1 where it has a time, low bit first; then Z of the
///    first time and of each difference, in seconds or, with `timesInMilliseconds`, in milliseconds
/// 6. with `hasAccuracies`: with `someUnknownAccuracy` a bit for each fix as above; then Z of the first accuracy
///    and of each difference, in decimetres or, with `accuraciesInCentimeters`, in centimetres
///
/// Nothing is lost: the reader gives back equal fixes.
enum FixChunk {
  /// Fixes in a full chunk. Memory is bounded by it; longer chunks save little.
  static let capacity = 4_096

  static let version: UInt8 = 1

  /// What follows in a chunk.
  struct Flags: OptionSet {
    let rawValue: UInt8
    static let hasTimes = Flags(rawValue: 1)
    static let someUndated = Flags(rawValue: 2)
    static let timesInMilliseconds = Flags(rawValue: 4)
    static let hasAccuracies = Flags(rawValue: 8)
    static let someUnknownAccuracy = Flags(rawValue: 16)
    static let accuraciesInCentimeters = Flags(rawValue: 32)
    static let known: Flags = [
      .hasTimes, .someUndated, .timesInMilliseconds, .hasAccuracies, .someUnknownAccuracy,
      .accuraciesInCentimeters,
    ]
  }

  /// The bytes for some fixes.
  ///
  /// - Complexity: O(fixes); 4 to 8 bytes each along a usual track.
  static func encode(_ fixes: some Collection<KeptFix>) -> [UInt8] {
    var writer = ByteWriter()
    let times = fixes.compactMap(\.time?.millisecondsSince1970)
    let accuracies = fixes.compactMap(\.accuracyCentimeters)
    var flags: Flags = []
    if !times.isEmpty { flags.insert(.hasTimes) }
    if !times.isEmpty, times.count < fixes.count { flags.insert(.someUndated) }
    let timeUnit: Int64 = times.allSatisfy { $0 % 1_000 == 0 } ? 1_000 : 1
    if timeUnit == 1 { flags.insert(.timesInMilliseconds) }
    if !accuracies.isEmpty { flags.insert(.hasAccuracies) }
    if !accuracies.isEmpty, accuracies.count < fixes.count { flags.insert(.someUnknownAccuracy) }
    let accuracyUnit: UInt32 = accuracies.allSatisfy { $0 % 10 == 0 } ? 10 : 1
    if accuracyUnit == 1 { flags.insert(.accuraciesInCentimeters) }

    writer.bytes = [version, flags.rawValue]
    writer.append(varint: UInt64(fixes.count))
    let starts = fixes.enumerated().filter(\.element.startsSegment).map(\.offset)
    writer.append(varint: UInt64(starts.count))
    writer.append(differencesOf: starts.lazy.map { Int64($0) })
    writer.append(differencesOf: fixes.lazy.map { Int64($0.coordinate.latitudeE7) })
    writer.append(differencesOf: fixes.lazy.map { Int64($0.coordinate.longitudeE7) }, modulo: fullTurn)
    if !times.isEmpty {
      if flags.contains(.someUndated) { writer.append(bits: fixes.lazy.map { $0.time != nil }) }
      writer.append(differencesOf: times.lazy.map { $0 / timeUnit })
    }
    if !accuracies.isEmpty {
      if flags.contains(.someUnknownAccuracy) {
        writer.append(bits: fixes.lazy.map { $0.accuracyCentimeters != nil })
      }
      writer.append(differencesOf: accuracies.lazy.map { Int64($0 / accuracyUnit) })
    }
    return writer.bytes
  }

  /// A full turn of longitude in units of 1e-7 degree.
  static let fullTurn: Int64 = 3_600_000_000

  /// The fixes in some bytes.
  ///
  /// - Throws: ``PackedBytesError`` for bytes that `encode` cannot have written; memory stays in proportion to the bytes given.
  static func decode(_ bytes: UnsafeRawBufferPointer) throws(PackedBytesError) -> [KeptFix] {
    var reader = ByteReader(bytes)
    guard try reader.byte() == version else { throw .malformed }
    let flags = Flags(rawValue: try reader.byte())
    guard flags.isSubset(of: .known) else { throw .malformed }
    // Each fix takes at least two bytes, so a count that the bytes cannot hold is refused before any memory is.
    let count = try reader.count(atMost: bytes.count / 2)
    let startCount = try reader.count(atMost: count)
    let starts = try reader.differences(startCount)
    let latitudes = try reader.differences(count)
    let longitudes = try reader.differences(count, modulo: fullTurn)
    let times = try reader.column(
      count, isPresent: flags.contains(.hasTimes), isPartial: flags.contains(.someUndated))
    let accuracies = try reader.column(
      count, isPresent: flags.contains(.hasAccuracies), isPartial: flags.contains(.someUnknownAccuracy))
    guard reader.isAtEnd else { throw .malformed }

    let timeUnit: Int64 = flags.contains(.timesInMilliseconds) ? 1 : 1_000
    let accuracyUnit: Int64 = flags.contains(.accuraciesInCentimeters) ? 1 : 10
    var fixes: [KeptFix] = []
    fixes.reserveCapacity(count)
    for index in 0..<count {
      guard let latitude = Int32(exactly: latitudes[index]),
        let longitude = Int32(exactly: longitudes[index]),
        let coordinate = Coordinate(latitudeE7: latitude, longitudeE7: longitude)
      else { throw .malformed }
      var fix = KeptFix(coordinate: coordinate, time: nil, accuracyMeters: nil, startsSegment: false)
      if let time = times[index] {
        let (milliseconds, overflow) = time.multipliedReportingOverflow(by: timeUnit)
        let timestamp = Timestamp(millisecondsSince1970: milliseconds)
        guard !overflow, Timestamp.writable.contains(timestamp) else { throw .malformed }
        fix.time = timestamp
      }
      if let accuracy = accuracies[index] {
        let (value, overflow) = accuracy.multipliedReportingOverflow(by: accuracyUnit)
        guard !overflow, let centimeters = UInt32(exactly: value) else { throw .malformed }
        fix.accuracyCentimeters = centimeters
      }
      fixes.append(fix)
    }
    for start in starts {
      guard start >= 0, start < count else { throw .malformed }
      fixes[Int(start)].startsSegment = true
    }
    return fixes
  }
}
