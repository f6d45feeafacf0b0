extension String {
  /// The name as SQLite compares names: without the case of ASCII letters, and of no others. To
  /// Swift, the Kelvin sign is a letter k as well.
  package var foldedSchemaName: String {
    let bytes = utf8.map { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
