/// The records that an extended header of a tar archive states about the next entry.
///
/// - Source: POSIX.1-2017, pax, "pax Extended Header": lines of the form `LENGTH KEY=VALUE`, whose
///   length counts the whole line.
struct TarRecords: Hashable {
  /// The entry's name; nil if the records do not state it.
  var path: String? { sparsePath ?? statedPath }
  private var statedPath: String?
  private var sparsePath: String?
  /// The number of bytes of the entry's contents; nil if the records do not state it.
  private(set) var byteCount: Int?
  /// Whether only parts of the entry are stored.
  private(set) var isSparse = false

  /// Reads the contents of an extended header; nil if they do not follow the format.
  init?(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      guard let space = rest.firstIndex(of: 0x20), space - rest.startIndex <= 9,
        let length = Int(TarEntry.text(rest[..<space])), length <= rest.count,
        length > space - rest.startIndex + 1
      else { return nil }
      let line = rest[(space + 1)..<(rest.startIndex + length)]
      rest = rest[(rest.startIndex + length)...]
      guard line.last == 0x0A, let equals = line.firstIndex(of: 0x3D) else { return nil }
      let value = line[(equals + 1)..<(line.endIndex - 1)]
      switch String(decoding: line[..<equals], as: UTF8.self) {
      case "path":
        guard value.count <= TarArchive.nameBytesAtMost else { return nil }
        statedPath = value.isEmpty ? nil : TarEntry.text(value)
      case "size":
        guard let size = Int(TarEntry.text(value)), size >= 0 else { return nil }
        byteCount = size
      case let key where key.hasPrefix("GNU.sparse."):
        isSparse = true
        // The name of the entry says how GNU tar stores the file.
        if key == "GNU.sparse.name" {
          guard value.count <= TarArchive.nameBytesAtMost else { return nil }
          sparsePath = TarEntry.text(value)
        }
      default: break
      }
    }
  }
}
