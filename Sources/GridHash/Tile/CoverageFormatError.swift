/// Why bytes are not a serial form of a tile or of a coverage.
///
/// ```swift
/// do {
///   print(try Coverage(serialized: bytes).count)
/// } catch CoverageFormatError.unsupportedVersion(let version) {
///   print("Update the app: this is version \(version) of the format.")
/// } catch {
///   print("This is not a coverage, or it is damaged: \(error)")
/// }
/// ```
public enum CoverageFormatError: Error, Equatable, Sendable {
  /// The bytes do not begin like a coverage at all.
  case notACoverage
  /// Written by a newer version of the format: a newer program can read it.
  case unsupportedVersion(Int)
  /// The bytes end before the form does.
  case truncated
  /// The checksum at the end does not fit the bytes before it.
  case checksumMismatch
  /// The bytes at this offset are not what the format allows there.
  case malformed(offset: Int)
}
