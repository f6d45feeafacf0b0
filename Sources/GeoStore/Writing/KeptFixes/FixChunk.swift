import Geodesy

/// Packs kept fixes into bytes, column by column.
///
/// Byte layout (`docs/formats/kept-fixes.md`). V is a LEB128 varint, Z a zigzag varint, and a
/// column is the first value as Z followed by the differences of the others in a ``RiceCode``:
/// 1. version, one byte: 1
/// 2. flags, one byte (``Flags``)
/// 3. V count; V number of segment starts, then V index of each, minus the one before
/// 4. the column of latitudes, then that of longitudes (1e-7 degree), whose differences take the
///    short way around the Earth
/// 5. with `hasTimes`: with `someUndated` one bit for each fix, 1 if it has a time, low bit first;
///    then the column of times, in seconds or, with `timesInMilliseconds`, in milliseconds
/// 6. with `hasAccuracies`: with `someUnknownAccuracy` one bit for each fix as above; then the
///    column of accuracies, in decimeters or, with `accuraciesInCentimeters`, in centimeters
/// 7. with `hasFlights`: the runs of fixes in the air, then those of fixes that end a leg of a
///    flight (``ByteWriter/append(runs:)``)
///
/// Packing is lossless: decoding gives equal fixes.
package enum FixChunk {
  /// Number of fixes in a full chunk. It bounds memory; longer chunks save little.
  static let capacity = Int(StoredRange.chunkFixes.upperBound)

  static let version: UInt8 = 1

  /// The optional contents of a chunk, and its units.
  struct Flags: OptionSet {
    let rawValue: UInt8
    static let hasTimes = Flags(rawValue: 1)
    static let someUndated = Flags(rawValue: 2)
    static let timesInMilliseconds = Flags(rawValue: 4)
    static let hasAccuracies = Flags(rawValue: 8)
    static let someUnknownAccuracy = Flags(rawValue: 16)
    static let accuraciesInCentimeters = Flags(rawValue: 32)
    static let hasFlights = Flags(rawValue: 64)
    static let known: Flags = [
      .hasTimes, .someUndated, .timesInMilliseconds, .hasAccuracies, .someUnknownAccuracy,
      .accuraciesInCentimeters, .hasFlights,
    ]
  }

  /// Encodes fixes.
  ///
  /// - Complexity: O(fixes); 4 to 6 bytes for each fix of a typical track.
  /// - Precondition: there are at most ``capacity`` fixes.
  static func encode(_ fixes: [KeptFix]) -> [UInt8] {
    let flags = flags(for: fixes)
    let timeUnit: Int64 = flags.contains(.timesInMilliseconds) ? 1 : 1_000
    let accuracyUnit: UInt32 = flags.contains(.accuraciesInCentimeters) ? 1 : 10
    // Two bytes, two counts, a segment start and two bits for each fix, and four columns.
    let mostForFlights =
      flags.contains(.hasFlights) ? 2 * ByteWriter.longestRunsBytes(fixes.count) : 0
    let most =
      mostForFlights + 4 + 2 * ByteWriter.longestVarintBytes + fixes.count
      * (ByteWriter.longestVarintBytes + 1)
      + 4 * ByteWriter.longestColumnBytes(fixes.count)
    return ByteWriter.bytes(atMost: most) { writer in
      writer.append(version)
      writer.append(flags.rawValue)
      writer.append(varint: UInt64(fixes.count))
      writer.append(varint: UInt64(fixes.count(where: \.startsSegment)))
      writer.append(
        differencesOf: fixes.indices.lazy.filter { fixes[$0].startsSegment }.map { Int64($0) })
      writer.append(column: fixes.map { Int64($0.coordinate.latitudeE7) })
      writer.append(
        column: fixes.map { Int64($0.coordinate.longitudeE7) }, modulo: Coordinate.unitsPerTurn)
      if flags.contains(.hasTimes) {
        if flags.contains(.someUndated) { writer.append(bits: fixes.lazy.map { $0.time != nil }) }
        writer.append(
          column: fixes.compactMap { fix in fix.time.map { $0.millisecondsSince1970 / timeUnit } })
      }
      if flags.contains(.hasAccuracies) {
        if flags.contains(.someUnknownAccuracy) {
          writer.append(bits: fixes.lazy.map { $0.accuracyCentimeters != nil })
        }
        writer.append(
          column: fixes.compactMap { fix in
            fix.accuracyCentimeters.map { Int64($0 / accuracyUnit) }
          })
      }
      if flags.contains(.hasFlights) {
        writer.append(runs: fixes.map(\.isInFlight))
        writer.append(runs: fixes.map(\.endsFlightLeg))
      }
    }
  }

  /// Returns which values the fixes have, and the units that represent them without loss.
  private static func flags(for fixes: [KeptFix]) -> Flags {
    var flags: Flags = []
    var (timeCount, accuracyCount) = (0, 0)
    for fix in fixes {
      if let time = fix.time {
        timeCount += 1
        if time.millisecondsSince1970 % 1_000 != 0 { flags.insert(.timesInMilliseconds) }
      }
      if let accuracy = fix.accuracyCentimeters {
        accuracyCount += 1
        if accuracy % 10 != 0 { flags.insert(.accuraciesInCentimeters) }
      }
      if fix.isInFlight || fix.endsFlightLeg { flags.insert(.hasFlights) }
    }
    if timeCount > 0 { flags.insert(.hasTimes) }
    if timeCount > 0, timeCount < fixes.count { flags.insert(.someUndated) }
    if accuracyCount > 0 { flags.insert(.hasAccuracies) }
    if accuracyCount > 0, accuracyCount < fixes.count { flags.insert(.someUnknownAccuracy) }
    return flags
  }

  /// The part of a chunk before the columns.
  struct Header {
    let flags: Flags
    let count: Int
    /// Indexes of the fixes that start a segment, not yet validated.
    let starts: [Int64]

    /// Reads the header. `byteCount` is the size of the whole chunk.
    init(_ reader: inout ByteReader, byteCount: Int) throws(PackedBytesError) {
      guard try reader.byte() == FixChunk.version else { throw .malformed }
      flags = Flags(rawValue: try reader.byte())
      guard flags.isSubset(of: .known) else { throw .malformed }
      // Each fix takes at least two bits, so a count too large for the bytes is refused before
      // memory is allocated.
      count = try reader.count(atMost: min(FixChunk.capacity, byteCount * 4))
      starts = try reader.differences(try reader.count(atMost: count))
    }
  }

  /// Decodes fixes.
  ///
  /// - Throws: ``PackedBytesError`` for bytes that `encode` cannot have written. Memory stays
  ///   proportional to the number of bytes.
  package static func decode(_ bytes: UnsafeRawBufferPointer) throws(PackedBytesError) -> [KeptFix]
  {
    var reader = ByteReader(bytes)
    let header = try Header(&reader, byteCount: bytes.count)
    let (flags, count) = (header.flags, header.count)
    let latitudes = try reader.column(count)
    let longitudes = try reader.column(count, modulo: Coordinate.unitsPerTurn)
    let times = try reader.partialColumn(
      count, isPresent: flags.contains(.hasTimes), isPartial: flags.contains(.someUndated))
    let accuracies = try reader.partialColumn(
      count, isPresent: flags.contains(.hasAccuracies),
      isPartial: flags.contains(.someUnknownAccuracy))
    let inFlight = flags.contains(.hasFlights) ? try reader.runs(of: count) : []
    let flightLegs = flags.contains(.hasFlights) ? try reader.runs(of: count) : []
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
      var fix = KeptFix(
        coordinate: coordinate, time: nil, accuracyMeters: nil, startsSegment: false)
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
    for start in header.starts {
      guard start >= 0, start < count else { throw .malformed }
      fixes[Int(start)].startsSegment = true
    }
    for index in inFlight.lazy.joined() { fixes[index].isInFlight = true }
    for index in flightLegs.lazy.joined() { fixes[index].endsFlightLeg = true }
    return fixes
  }
}
