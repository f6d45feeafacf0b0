/// Comparisons of names.
enum JSONNames {
  /// True if a name is `expected`, which has the same number of bytes: callers compare it first.
  @inline(__always)
  static func matches(_ name: UnsafeBufferPointer<UInt8>, _ expected: StaticString) -> Bool {
    // Sound: a static string has as many bytes as it says, and the name has at least as many.
    for index in 0..<expected.utf8CodeUnitCount where name[index] != expected.utf8Start[index] {
      return false
    }
    return true
  }

  /// True if a name is one of several.
  static func isOne(of names: [StaticString], _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    names.contains { $0.utf8CodeUnitCount == name.count && matches(name, $0) }
  }
}
