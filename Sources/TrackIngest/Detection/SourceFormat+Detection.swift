extension SourceFormat {
  /// The format of a file by its first bytes (``ContentKind/prefixLength`` of them are enough), nil where it is no
  /// track that Roqua reads. The name of the file plays no part.
  public static func detect(prefix: UnsafeRawBufferPointer) -> SourceFormat? {
    guard case .track(let format) = ContentKind(prefix: prefix) else { return nil }
    return format
  }

  /// The format that a file's name promises, nil where it promises none.
  ///
  /// `.gpx` is GPX; `.nmea`, `.nmea0183` and `.nme` are NMEA. Case does not count, nor does a path in front, nor
  /// dots and blanks at the end. A file with such a name is imported or refused, never passed over in silence.
  /// Names that logs share with everything else (`.log`, `.txt`, `.ubx`) promise nothing: content decides.
  public init?(fileName: String) {
    let base = fileName.split(separator: "/").last ?? ""
    let trimmed = base.reversed().drop { $0 == "." || $0 == " " }.reversed()
    guard let dot = trimmed.lastIndex(of: ".") else { return nil }
    switch String(trimmed[trimmed.index(after: dot)...]).lowercased() {
    case "gpx": self = .gpx
    case "nmea", "nmea0183", "nme": self = .nmea
    default: return nil
    }
  }
}
