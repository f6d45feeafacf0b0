/// The limits of what is remembered of a GPX file at once, besides ``XMLLimits``.
enum GPXLimits {
  /// The number of namespace declarations in scope up to which every one is remembered.
  static let bindings = 128
  /// The number of namespace declarations in scope up to which those that decide about GPX are
  /// remembered.
  static let reservedBindings = 256
}
