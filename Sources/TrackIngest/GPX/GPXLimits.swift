/// The limits of what is remembered of a GPX file at once, so that memory does not grow with it.
enum GPXLimits {
  /// The longest attribute value or text that is read, in bytes. A longer one is neither a number
  /// nor a time.
  static let valueBytes = 256
  /// The longest element or attribute name that is recognized, in bytes.
  static let nameBytes = 128
  /// The maximum depth of nesting; deeper elements are skipped.
  static let depth = 256
  /// The number of namespace declarations in scope up to which every one is remembered.
  static let bindings = 128
  /// The number of namespace declarations in scope up to which those that decide about GPX are
  /// remembered.
  static let reservedBindings = 256
}
