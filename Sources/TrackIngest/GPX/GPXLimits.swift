/// How much of a GPX file is remembered at once: memory does not grow with the file.
enum GPXLimits {
  /// The longest attribute value or text that is read, in bytes; a longer one is no number and no
  /// time.
  static let valueBytes = 256
  /// The longest element or attribute name that is recognized, in bytes.
  static let nameBytes = 128
  /// The deepest nesting that is followed; deeper elements are skipped.
  static let depth = 256
  /// Namespace declarations in scope up to which every one is remembered.
  static let bindings = 128
  /// Namespace declarations in scope up to which those that decide about GPX are remembered.
  static let reservedBindings = 256
}
