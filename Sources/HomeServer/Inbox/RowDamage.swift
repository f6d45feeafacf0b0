/// Why a row of the inbox holds no fix, in words without what the row contains: anybody may read
/// them.
package enum RowDamage: String, Error, Hashable, Sendable {
  /// The number of its device is not in the list of devices.
  case device = "its device is unknown"
  /// Its time is outside the years that can be written.
  case time = "its time is out of range"
  /// Its latitude or longitude is out of range.
  case coordinate = "its coordinate is out of range"
}
