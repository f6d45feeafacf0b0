import ByteStreams

/// The path of a file in a sync folder, relative to it.
package enum SyncPath: Hashable, Sendable, CustomStringConvertible {
  /// A key file: a number that counts up, and its name.
  case key(number: UInt64, FileName)
  /// A manifest: the device that wrote it, and its counter.
  case manifest(DeviceName, counter: UInt64)
  /// A source file: the source, and its name.
  case source(SourceName, FileName)
  /// A backup, with a random name.
  case backup(FileName)

  /// The folders of the four kinds, and the ending of all names.
  package static let (keys, devices, sources, backups) = ("keys", "devices", "sources", "backups")
  /// The ending of all names.
  package static let ending = ".age"

  /// The folder.
  package var folder: String {
    switch self {
    case .key: Self.keys
    case .manifest: Self.devices
    case .source: Self.sources
    case .backup: Self.backups
    }
  }

  /// The name in its folder.
  package var name: String {
    let stem =
      switch self {
      case .key(let number, let name): "\(Self.padded(number, 6))-\(name)"
      case .manifest(let device, let counter): "\(device)-\(Self.padded(counter, 10))"
      case .source(let source, let name): "\(source)-\(name)"
      case .backup(let name): "\(name)"
      }
    return stem + Self.ending
  }

  /// The name of the copy that a device writes of a file that was found damaged. Like a copy that a
  /// program renamed, it is as good as the file.
  package func copyName(by device: DeviceName) -> String {
    "\(name.dropLast(Self.ending.count))\(Self.copyMark(of: device))\(Self.ending)"
  }

  /// What such a name has before its ending.
  static func copyMark(of device: DeviceName) -> String { ".again-\(device)" }

  /// The path, such as "sources/…age".
  package var description: String { folder + "/" + name }

  /// The path of a name in one of the four folders, or nil for another folder or any other name.
  package init?(folder: String, name: String) {
    let bytes = Array(name.utf8)
    guard let (path, end) = Self.stem(of: bytes, in: folder),
      bytes[end...].elementsEqual(Self.ending.utf8)
    else { return nil }
    self = path
  }

  /// The path whose name, without its ending, a name begins with, and the number of bytes of that
  /// beginning.
  static func stem(of name: [UInt8], in folder: String) -> (path: SyncPath, end: Int)? {
    var reader = StemReader(name)
    let path: SyncPath? =
      switch folder {
      case keys:
        if let number = reader.number(width: 6), reader.hyphen(), let name = reader.eight() {
          .key(number: number, FileName(number: name))
        } else {
          nil
        }
      case devices:
        if let device = reader.eight(), reader.hyphen(), let counter = reader.number(width: 10) {
          .manifest(DeviceName(number: device), counter: counter)
        } else {
          nil
        }
      case sources:
        if let high = reader.eight(), let low = reader.eight(), reader.hyphen(),
          let name = reader.eight()
        {
          .source(SourceName(high: high, low: low), FileName(number: name))
        } else {
          nil
        }
      case backups: reader.eight().map { .backup(FileName(number: $0)) }
      default: nil
      }
    return path.map { ($0, reader.offset) }
  }

  /// The decimal digits of a number, with zeros before them.
  private static func padded(_ number: UInt64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}

/// Reads the parts of a name.
private struct StemReader {
  private let bytes: [UInt8]
  private(set) var offset = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func hyphen() -> Bool {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "-") else { return false }
    offset += 1
    return true
  }

  /// 16 lowercase hexadecimal digits.
  mutating func eight() -> UInt64? {
    guard bytes.count - offset >= 16 else { return nil }
    var value: UInt64 = 0
    for byte in bytes[offset..<(offset + 16)] {
      guard let digit = Hexadecimal.value(ofLowercaseDigit: byte) else { return nil }
      value = value << 4 | UInt64(digit)
    }
    offset += 16
    return value
  }

  /// Decimal digits, with zeros before them only up to this width.
  mutating func number(width: Int) -> UInt64? {
    let digits = bytes[offset...].prefix { (0x30...0x39).contains($0) }
    guard let first = digits.first, digits.count == width || digits.count > width && first > 0x30
    else { return nil }
    var value: UInt64 = 0
    for digit in digits {
      let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, isOver) = product.addingReportingOverflow(UInt64(digit - 0x30))
      if isTooLarge || isOver { return nil }
      value = sum
    }
    offset += digits.count
    return value
  }
}
