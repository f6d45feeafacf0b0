/// Arrays of C strings.
enum CStrings {
  /// The text at a pointer; empty for none.
  static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0) } ?? ""
  }

  /// Calls `body` with pointers to copies of the strings and a null pointer after the last one.
  static func with<T>(
    _ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> T
  ) -> T { withOptional(strings, isTerminated: true, body) }

  /// Calls `body` with pointers to copies of the strings, which live until it returns.
  static func withOptional<T>(
    _ strings: [String?], isTerminated: Bool = false,
    _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> T
  ) -> T {
    var bytes: [CChar] = []
    var offsets: [Int?] = []
    for string in strings {
      offsets.append(string == nil ? nil : bytes.count)
      if let string { bytes += string.utf8CString }
    }
    bytes.append(0)
    return bytes.withUnsafeBufferPointer { buffer in
      var pointers = offsets.map { offset in
        // Sound: each offset is the start of a string in the buffer, which ends with a zero byte.
        offset.flatMap { start in buffer.baseAddress.map { $0 + start } }
      }
      if isTerminated || pointers.isEmpty { pointers.append(nil) }
      return pointers.withUnsafeBufferPointer { pointers in
        guard let base = pointers.baseAddress else { preconditionFailure("never empty") }
        return body(base)
      }
    }
  }
}
