/// The limit beyond which expanded bytes count as a decompression bomb.
///
/// Memory is constant, so the limit only saves time. Deflate packs at most 1032 bytes into one.
/// Text files reach 10 to 40, very repetitive ones about 200, and blanks 1029. The first
/// ``freeBytes`` are always allowed, so that a small repetitive file can be read whatever its
/// ratio.
struct ExpansionLimit: Hashable, Sendable {
  /// The number of bytes that any stream may expand to: a few hundredths of a second of work.
  static let freeBytes = 16 << 20
  /// The number of further bytes that each compressed byte may expand to.
  static let ratio = 500

  /// The bytes that `compressedBytes` may expand to.
  static func bytes(from compressedBytes: Int) -> Int {
    let (product, overflow) = compressedBytes.multipliedReportingOverflow(by: ratio)
    return overflow ? .max : freeBytes &+ min(product, .max - freeBytes)
  }

  /// The error for a file in an archive whose files together are beyond the limit.
  static let archiveError = StreamError(
    code: .tooLarge,
    message: "The archive expands to more than \(ratio) times its size; reading was stopped.")

  /// The error for a file beyond the limit.
  static let error = StreamError(
    code: .tooLarge,
    message: "It expands to more than \(ratio) times its size; reading was stopped.")
}
