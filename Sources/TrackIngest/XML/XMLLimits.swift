/// The limits of what is remembered of an XML file at once, so that memory does not grow with it.
enum XMLLimits {
  /// The longest attribute value or text that is read, in bytes. A longer one is neither a number
  /// nor a time.
  static let valueBytes = 256
  /// The longest element or attribute name that is recognized, in bytes.
  static let nameBytes = 128
  /// The maximum depth of nesting; deeper elements are skipped.
  static let depth = 256
}
