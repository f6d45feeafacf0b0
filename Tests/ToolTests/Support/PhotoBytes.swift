import Foundation

/// The smallest JPEG files with EXIF, by hand.
enum PhotoBytes {
  /// A gray picture of one block, with the time, its offset from UTC and the camera.
  static func jpeg(time: String?, offset: String? = nil, model: String? = nil) -> [UInt8] {
    [0xFF, 0xD8] + exif(time: time, offset: offset, model: model) + picture + [0xFF, 0xD9]
  }

  /// The APP1 segment: a big-endian TIFF file of two directories, whose texts follow them.
  private static func exif(time: String?, offset: String?, model: String?) -> [UInt8] {
    let first = model.map { [(tag: 0x0110, text: $0)] } ?? []
    let second = [(0x9003, time), (0x9011, offset)].compactMap { tag, text in
      text.map { (tag: tag, text: $0) }
    }
    let firstSize = 2 + 12 * (first.count + 1) + 4
    let secondStart = 8 + firstSize
    var texts: [UInt8] = []
    let textStart = secondStart + 2 + 12 * second.count + 4
    func entries(_ list: [(tag: Int, text: String)]) -> [UInt8] {
      list.flatMap { tag, text in
        let bytes = Array(text.utf8) + [0]
        defer { texts += bytes }
        // Up to four bytes would be in the entry itself; all texts here are longer.
        precondition(bytes.count > 4)
        return big(tag, 2) + big(2, 2) + big(bytes.count, 4) + big(textStart + texts.count, 4)
      }
    }
    let tiff =
      Array("MM".utf8) + big(42, 2) + big(8, 4) + big(first.count + 1, 2) + entries(first)
      + big(0x8769, 2) + big(4, 2) + big(1, 4) + big(secondStart, 4) + big(0, 4)
      + big(second.count, 2) + entries(second) + big(0, 4)
    let body = Array("Exif\0\0".utf8) + tiff + texts
    return [0xFF, 0xE1] + big(body.count + 2, 2) + body
  }

  private static func big(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// Tables and one block: quantization of ones, a frame of 8 × 8, a code of one symbol each.
  private static let picture: [UInt8] =
    [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
    + [0xFF, 0xC0, 0, 11, 8, 0, 8, 0, 8, 1, 1, 0x11, 0]
    + [0xFF, 0xC4, 0, 20, 0x00, 1] + [UInt8](repeating: 0, count: 15) + [0]
    + [0xFF, 0xC4, 0, 20, 0x10, 1] + [UInt8](repeating: 0, count: 15) + [0]
    + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x3F]
}
