import ByteStreams
import FogMap
import GeoStore
import SQLiteLayer

#if WebP
  import CWebP
#endif

/// Encodes WebP with libwebp, which the package trait `WebP` links.
enum WebPEncoder {
  /// Whether this program can encode WebP.
  static var isAvailable: Bool {
    #if WebP
      true
    #else
      false
    #endif
  }

  /// A picture without loss as a simple WebP file; nil if there is not enough memory.
  ///
  /// - Precondition: `rgb` has three bytes for each pixel.
  static func encode(_ rgb: [UInt8], width: Int, height: Int) -> [UInt8]? {
    precondition(rgb.count == 3 * width * height, "rows of another picture")
    #if WebP
      var size = 0
      // Sound: libwebp reads `height` rows of `3 * width` bytes during the call.
      let encoded = rgb.withUnsafeBufferPointer {
        roqua_webp_encode($0.baseAddress, Int32(width), Int32(height), 4, &size)
      }
      guard let encoded else { return nil }
      defer { WebPFree(encoded) }
      // Sound: libwebp has written `size` bytes, which are freed after they are copied.
      return Array(UnsafeBufferPointer(start: encoded, count: size))
    #else
      return nil
    #endif
  }
}

extension PictureMaker {
  /// Throws if this picture cannot be a WebP.
  func checkWebP(_ size: PictureSize) throws(DatabaseError) {
    guard WebPEncoder.isAvailable else {
      throw .cannotWrite(
        path: path,
        reason: "this program was built without libwebp; write a .png, or build it with the trait "
          + "WebP")
    }
    guard max(size.width, size.height) <= WebPFile.longestSide else {
      throw .cannotWrite(
        path: path, reason: "a WebP has at most \(WebPFile.longestSide) pixels along each side")
    }
  }

  /// Adds a picture to a file.
  func append(_ rgb: [UInt8], to file: inout WebPFile, milliseconds: Int = 0)
    throws(DatabaseError)
  {
    guard let bytes = WebPEncoder.encode(rgb, width: file.width, height: file.height),
      file.append(bytes, milliseconds: milliseconds)
    else { throw .cannotWrite(path: path, reason: "there is not enough memory to encode it") }
  }

  /// The title and the credits as an XMP packet.
  static func xmp(title: String, credits: String) -> String {
    func item(_ name: String, _ text: String) -> String {
      "<dc:\(name)><rdf:Alt><rdf:li xml:lang=\"x-default\">\(PictureSVG.escaped(text))</rdf:li>"
        + "</rdf:Alt></dc:\(name)>"
    }
    return """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:dc="http://purl.org/dc/elements/1.1/">\(item("title", title))\
      \(item("rights", credits))</rdf:Description></rdf:RDF></x:xmpmeta>
      """
  }
}
