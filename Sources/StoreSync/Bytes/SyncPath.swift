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

  /// The path, such as "sources/…age".
  package var description: String { folder + "/" + name }

  /// The path of a name in one of the four folders, or nil for another folder or any other name.
  package init?(folder: some StringProtocol, name: some StringProtocol) {
    guard name.hasSuffix(Self.ending) else { return nil }
    let parts = name.dropLast(Self.ending.count).split(
      separator: "-", omittingEmptySubsequences: false)
    switch (String(folder), parts.count) {
    case (Self.keys, 2):
      guard let number = Self.number(parts[0], 6), let name = FileName(hexadecimal: parts[1])
      else { return nil }
      self = .key(number: number, name)
    case (Self.devices, 2):
      guard let device = DeviceName(hexadecimal: parts[0]),
        let counter = Self.number(parts[1], 10)
      else { return nil }
      self = .manifest(device, counter: counter)
    case (Self.sources, 2):
      guard let source = SourceName(hexadecimal: parts[0]),
        let name = FileName(hexadecimal: parts[1])
      else { return nil }
      self = .source(source, name)
    case (Self.backups, 1):
      guard let name = FileName(hexadecimal: parts[0]) else { return nil }
      self = .backup(name)
    default: return nil
    }
  }

  /// The decimal digits of a number, with zeros before them.
  private static func padded(_ number: UInt64, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// The number of these digits, or nil if ``padded(_:_:)`` does not write it so.
  private static func number(_ digits: some StringProtocol, _ width: Int) -> UInt64? {
    guard let number = UInt64(digits), padded(number, width) == digits else { return nil }
    return number
  }
}
