#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

import CGazetteer

/// Owns the bytes of one packed file: linked in, copied, or mapped from a file.
///
/// `@unchecked Sendable`: the bytes are never written after `init`, and freed only when the last
/// reference is released.
final class ByteOwner: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer
  private enum Origin { case linkedIn, copied, mapped }
  private let origin: Origin

  /// Refers to a file that is linked into the program.
  ///
  /// Sound: the linked files are constants of the program, with their lengths.
  init(linkedIn file: roqua_gazetteer_file) {
    bytes = UnsafeRawBufferPointer(start: file.bytes, count: file.count)
    origin = .linkedIn
  }

  /// Copies the bytes, aligned to 16.
  init(copying source: some Collection<UInt8>) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 16)
    copy.copyBytes(from: source)
    bytes = UnsafeRawBufferPointer(copy)
    origin = .copied
  }

  /// Maps the file at this path for reading. The file must not be truncated while it is mapped.
  ///
  /// - Throws: ``GeocodeError/unreadable(path:code:)``.
  init(mapping path: String) throws(GeocodeError) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(path: path, code: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(path: path, code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable(path: path, code: EISDIR) }
    let count = Int(status.st_size)
    guard count > 0 else {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      origin = .linkedIn
      return
    }
    guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED
    else {
      throw .unreadable(path: path, code: errno)
    }
    bytes = UnsafeRawBufferPointer(start: start, count: count)
    origin = .mapped
  }

  deinit {
    switch origin {
    case .linkedIn: break
    case .copied: bytes.deallocate()
    case .mapped: munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    }
  }
}
