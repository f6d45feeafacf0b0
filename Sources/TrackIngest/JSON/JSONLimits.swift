/// The limits of what is remembered of a JSON file at once, so that memory does not grow with it.
enum JSONLimits {
  /// The longest name or value that is read, in bytes. A longer one is no name that Roqua knows,
  /// and neither a number nor a time.
  static let valueBytes = 256
  /// The maximum depth of nesting of objects and arrays that are read; deeper ones are skipped. It
  /// is the number of bits in which ``JSONScanner`` remembers what is open.
  static let depth = 64
}
