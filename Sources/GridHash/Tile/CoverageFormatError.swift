/// The reason why bytes are not a valid serialized tile or coverage.
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
  /// The bytes do not begin like a coverage.
  case notACoverage
  /// The data was written in a newer version of the format, which a newer program can read.
  case unsupportedVersion(Int)
  /// The bytes end too early.
  case truncated
  /// The checksum at the end does not match the bytes before it.
  case checksumMismatch
  /// The format does not allow the bytes at this offset.
  case malformed(offset: Int)
}
