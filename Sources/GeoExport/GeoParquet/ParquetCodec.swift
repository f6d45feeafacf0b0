import ByteStreams

/// The compression of pages. Raw values are the codes of `CompressionCodec`.
enum ParquetCodec: Int32 {
  case none = 0
  case gzip = 2
}

/// Compresses pages with one codec.
final class PageCompressor {
  /// The codec.
  let codec: ParquetCodec
  private let stream: DeflateStream?

  /// Creates a compressor.
  init(_ codec: ParquetCodec) throws(ExportFailure) {
    self.codec = codec
    do {
      stream = codec == .gzip ? try DeflateStream(.gzip, level: 1) : nil
    } catch {
      throw .failed(reason: error.message)
    }
  }

  /// The bytes of a page, compressed.
  func compress(_ page: [UInt8]) -> [UInt8] { stream?.compress(page) ?? page }
}
