import CZlib
import Foundation

/// Reads what a map page contains, byte by byte as docs/formats/map-page.md describes it.
public struct MapPageReader {
  /// A cell of the grid.
  public struct Cell: Hashable, Sendable {
    /// Its row, counted from 90° S.
    public let row: Int
    /// Its column, counted from 180° W.
    public let column: Int

    /// Creates a cell.
    public init(row: Int, column: Int) { (self.row, self.column) = (row, column) }
  }

  /// A visited region; times are minutes since 1970.
  public struct Region: Hashable, Sendable {
    /// The center's latitude in units of 1e-5 degree.
    public var latitudeE5 = 0
    /// The center's longitude in units of 1e-5 degree.
    public var longitudeE5 = 0
    /// The number of visits.
    public var visits = 0
    /// The first moment.
    public var firstMinute: Int?
    /// The last moment.
    public var lastMinute: Int?
    /// The position in the list of places.
    public var place = 0
  }

  /// A line, with points as latitude and longitude in 1e-5 degree.
  public struct Track: Hashable, Sendable {
    /// The day on which it begins; 0 if it has no time.
    public let day: Int
    /// Latitude and longitude of each point.
    public let points: [[Int]]
  }

  /// The text of the page.
  public let html: String

  /// Reads a page.
  public init(html: String) { self.html = html }

  /// The contents of the script element with an id; nil if there is none.
  public func element(_ id: String) -> String? {
    guard let start = html.range(of: "<script id=\"\(id)\""),
      let open = html.range(of: ">", range: start.upperBound..<html.endIndex),
      let close = html.range(of: "</script>", range: open.upperBound..<html.endIndex)
    else { return nil }
    return String(html[open.upperBound..<close.lowerBound])
  }

  /// The expanded bytes of an element; nil if it is damaged.
  public func bytes(of id: String) -> [UInt8]? {
    element(id).flatMap { Data(base64Encoded: $0) }.flatMap { Self.inflated(Array($0)) }
  }

  /// The document of settings and numbers.
  public func page() throws -> JSONTree? { try element("page").map { try JSONTree(parsing: $0) } }

  /// The lists of places.
  public func lists() throws -> JSONTree? {
    try bytes(of: "lists").map { try JSONTree(parsing: String(decoding: $0, as: UTF8.self)) }
  }

  /// The radius of the cells in millimeters and the day of each cell; 0 is no day.
  public func cells() -> (millimeters: Int, days: [Cell: Int])? {
    guard let bytes = bytes(of: "cells") else { return nil }
    var reader = Reader(bytes: bytes)
    guard reader.varint() == 1 else { return nil }
    let millimeters = reader.varint()
    // 360 degrees are 79 920 000 000 units, a column is as many as the radius has millimeters.
    let columns = ((79_920_000_000 + millimeters - 1) / millimeters + 63) / 64
    let squares = reader.varint()
    let (groups, runs) = (reader.varint(), reader.varint())
    var (foundGroups, foundRuns) = (0, 0)
    var days: [Cell: Int] = [:]
    var key = 0
    for _ in 0..<squares {
      key += reader.varint()
      var day = 0
      for _ in 0..<reader.varint() {
        day += reader.varint()
        foundGroups += 1
        for (row, word) in reader.tile().enumerated() {
          for bit in 0..<64 where word >> UInt64(bit) & 1 == 1 {
            if bit == 0 || word >> UInt64(bit - 1) & 1 == 0 { foundRuns += 1 }
            days[Cell(row: key / columns * 64 + row, column: key % columns * 64 + bit)] = day
          }
        }
      }
    }
    return reader.isAtEnd && foundGroups == groups && foundRuns == runs ? (millimeters, days) : nil
  }

  /// The visited regions.
  public func regions() -> [Region]? {
    guard let bytes = bytes(of: "regions") else { return nil }
    var reader = Reader(bytes: bytes)
    var regions = [Region](repeating: Region(), count: reader.varint())
    for column in [\Region.latitudeE5, \Region.longitudeE5] {
      var value = 0
      for index in regions.indices {
        value += reader.signed()
        regions[index][keyPath: column] = value
      }
    }
    for index in regions.indices { regions[index].visits = reader.varint() }
    // Minutes are counted from 0001-01-01; 0 is no time.
    let zero = 1_035_593_280
    for index in regions.indices {
      let minute = reader.varint()
      regions[index].firstMinute = minute == 0 ? nil : minute - zero
    }
    for index in regions.indices {
      let length = reader.varint()
      regions[index].lastMinute = regions[index].firstMinute.map { $0 + length }
    }
    for index in regions.indices { regions[index].place = reader.varint() }
    return reader.isAtEnd ? regions : nil
  }

  /// The tracks.
  public func tracks() -> [Track]? {
    guard let bytes = bytes(of: "tracks") else { return nil }
    if bytes.isEmpty { return [] }
    var reader = Reader(bytes: bytes)
    let tracks = (0..<reader.varint()).map { _ in
      let day = reader.varint()
      var (latitude, longitude) = (0, 0)
      let points = (0..<reader.varint()).map { _ in
        latitude += reader.signed()
        longitude += reader.signed()
        return [latitude, longitude]
      }
      return Track(day: day, points: points)
    }
    return reader.isAtEnd ? tracks : nil
  }

  /// Expands a raw deflate stream; nil if it is damaged.
  public static func inflated(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard roqua_inflate_init(&stream, -15) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var expanded: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var input = bytes
    // Sound: zlib gets both arrays with their counts and keeps no pointer after the closures.
    return input.withUnsafeMutableBufferPointer { input in
      stream.next_in = input.baseAddress
      stream.avail_in = UInt32(input.count)
      while true {
        let (code, given) = buffer.withUnsafeMutableBufferPointer { output in
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(output.count)
          let code = inflate(&stream, Z_NO_FLUSH)
          return (code, output.count - Int(stream.avail_out))
        }
        expanded += buffer[..<given]
        if code == Z_STREAM_END { return stream.avail_in == 0 ? expanded : nil }
        if code != Z_OK { return nil }
      }
    }
  }

  /// Reads varints; past the end, zeros.
  private struct Reader {
    let bytes: [UInt8]
    var offset = 0

    var isAtEnd: Bool { offset == bytes.count }

    mutating func byte() -> UInt8 {
      defer { offset += 1 }
      return offset < bytes.count ? bytes[offset] : 0
    }

    mutating func varint() -> Int {
      var (value, shift) = (0, 0)
      while true {
        let next = byte()
        value |= Int(next & 127) << shift
        shift += 7
        if next < 128 { return value }
      }
    }

    mutating func signed() -> Int {
      let value = varint()
      return value % 2 == 0 ? value / 2 : -(value + 1) / 2
    }

    mutating func word() -> UInt64 {
      (0..<8).reduce(0) { $0 | UInt64(byte()) << UInt64(8 * $1) }
    }

    /// The 64 rows of a tile: docs/formats/coverage.md.
    mutating func tile() -> [UInt64] {
      if byte() == 2 { return (0..<64).map { _ in word() } }
      let mask = word()
      var rows: [UInt64] = []
      for row in 0..<64 {
        guard mask >> UInt64(row) & 1 == 1 else {
          rows.append(rows.last ?? 0)
          continue
        }
        var edges: [Int] = []
        while true {
          let code = byte()
          if code == 0xC0, edges.isEmpty { break }
          edges.append(Int(code & 63))
          if code & 128 != 0 { break }
        }
        var word: UInt64 = 0
        for bit in 0..<64 where edges.filter({ $0 <= bit }).count % 2 == 1 {
          word |= 1 << UInt64(bit)
        }
        rows.append(word)
      }
      return rows
    }
  }
}
