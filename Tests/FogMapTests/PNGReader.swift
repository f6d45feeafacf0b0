import ByteStreams
import TestSupport
import Testing

/// A slow reader of PNGs, written from the specification: every pixel as red, green, blue, opacity.
struct PNGReader {
  let width: Int
  let height: Int
  let depth: Int
  let filters: [UInt8]
  let pixels: [[UInt8]]

  init(_ bytes: [UInt8]) throws {
    try #require(bytes.starts(with: [137, 80, 78, 71, 13, 10, 26, 10]))
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    var (names, header, data): ([String], [UInt8], [UInt8]) = ([], [], [])
    var (palette, opacity): ([UInt8], [UInt8]) = ([], [])
    var at = 8
    while at < bytes.count {
      let count = number(at)
      let name = String(decoding: bytes[at + 4..<at + 8], as: UTF8.self)
      let body = Array(bytes[at + 8..<at + 8 + count])
      try #require(
        number(at + 8 + count) == Int(Deflate.crc32(Array(bytes[at + 4..<at + 8 + count]))))
      switch name {
      case "IHDR": header = body
      case "PLTE": palette = body
      case "tRNS": opacity = body
      case "IDAT": data += body
      default: try #require(name == "IEND")
      }
      names.append(name)
      at += 12 + count
    }
    try #require(names.first == "IHDR" && names.last == "IEND" && header.count == 13)
    func size(_ at: Int) -> Int { header[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    (width, height, depth) = (size(0), size(4), Int(header[8]))
    let kind = header[9]
    let channels = try #require([0: 1, 2: 3, 3: 1, 4: 2, 6: 4][kind])
    let rowBytes = (width * channels * depth + 7) / 8
    let total = height * (rowBytes + 1)
    let raw = try #require(data.withUnsafeBytes { ZlibHead.expand($0, atMost: total + 1) })
    try #require(raw.count == total)
    var (low, high) = (1, 0)
    for byte in raw {
      low = (low + Int(byte)) % 65_521
      high = (high + low) % 65_521
    }
    try #require(data.suffix(4).reduce(0) { $0 << 8 | Int($1) } == high << 16 | low)
    let step = max(1, channels * depth / 8)
    var (filters, pixels): ([UInt8], [[UInt8]]) = ([], [])
    var above = [UInt8](repeating: 0, count: rowBytes)
    for row in 0..<height {
      let filter = raw[row * (rowBytes + 1)]
      filters.append(filter)
      var line = Array(raw[row * (rowBytes + 1) + 1..<(row + 1) * (rowBytes + 1)])
      for index in line.indices {
        switch filter {
        case 0: break
        case 1: line[index] &+= index < step ? 0 : line[index - step]
        case 2: line[index] &+= above[index]
        default: Issue.record("filter \(filter)")
        }
      }
      above = line
      for column in 0..<width {
        switch kind {
        case 0: pixels.append([line[column], line[column], line[column], 255])
        case 4:
          let gray = line[2 * column]
          pixels.append([gray, gray, gray, line[2 * column + 1]])
        case 2: pixels.append(line[3 * column..<3 * column + 3] + [255])
        case 6: pixels.append(Array(line[4 * column..<4 * column + 4]))
        default:
          let bit = column * depth
          let index = Int(line[bit / 8]) >> (8 - depth - bit % 8) & ((1 << depth) - 1)
          try #require(palette.count >= 3 * index + 3)
          pixels.append(
            Array(palette[3 * index..<3 * index + 3])
              + [index < opacity.count ? opacity[index] : 255])
        }
      }
    }
    (self.filters, self.pixels) = (filters, pixels)
  }
}
