/// The limits of what is remembered of an IGC file at once.
enum IGCLimits {
  /// The longest record that is read, in bytes. The standard allows 76 characters, and recorders
  /// write up to about 100; a longer line is no fix.
  static let recordBytes = 512
  /// The digits after the point of a minute that count: the ninth is below a hundredth of a unit of
  /// 1e-7 degree.
  static let minuteDigits = 9
}
