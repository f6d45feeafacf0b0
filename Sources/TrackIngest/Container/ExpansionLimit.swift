/// How much compressed bytes may expand to before they are taken for a bomb: a file made to waste time.
///
/// Memory is flat whatever is expanded, so the limit is there for time only. Deflate packs at most 1032 bytes into
/// one. Tracks reach 10 to 40 to one, and those of a device that lay still about 200 to one; blanks reach 1029.
/// The first ``freeBytes`` are beyond suspicion, so that a small log of a device that lay still is read, whatever it was
/// packed with.
struct ExpansionLimit: Hashable, Sendable {
  /// Bytes that any stream may expand to: a few hundredths of a second of work.
  static let freeBytes = 16 << 20
  /// Bytes that each compressed byte may stand for beyond those.
  static let ratio = 500

  /// Bytes that a number of compressed bytes may expand to.
  static func bytes(from compressedBytes: Int) -> Int {
    let (product, overflow) = compressedBytes.multipliedReportingOverflow(by: ratio)
    return overflow ? .max : freeBytes &+ min(product, .max - freeBytes)
  }

  /// What is said of a file that goes beyond.
  static let error = IngestError(
    code: .tooLarge,
    message: "It expands to more than \(ratio) times its size, as no track does: reading it was stopped.")
}
