import CSQLite
import Foundation

/// The functions of an opened `libspatialite`.
///
/// - Source: the header `spatialite.h` of SpatiaLite 4 and later.
struct SpatiaLiteLibrary: Sendable {
  /// The name of the file.
  let name: String
  /// Allocates the memory that SpatiaLite needs for one connection; nil if it has none.
  let allocate: Allocate
  /// Adds the functions to a connection; silently if the last argument is 0.
  let initialize: Initialize
  /// Releases the memory of a connection that has been closed.
  let cleanUp: CleanUp
  /// Returns the version.
  let version: Version

  typealias Allocate = @convention(c) @Sendable () -> UnsafeMutableRawPointer?
  typealias Initialize =
    @convention(c) @Sendable (OpaquePointer?, UnsafeMutableRawPointer?, Int32) -> Void
  typealias CleanUp = @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Void
  typealias Version = @convention(c) @Sendable () -> UnsafePointer<CChar>?

  /// The library, opened by the first use and never closed, or the reason why there is none.
  static let shared = Result { () throws(SpatiaLiteFailure) in try open() }

  /// The names of the file, the newest first. The number changes with its binary interface, but not
  /// the functions used here.
  #if canImport(Darwin)
    private static let names = [
      "libspatialite.dylib", "/opt/homebrew/lib/libspatialite.dylib",
      "/usr/local/lib/libspatialite.dylib",
    ]
  #else
    private static let names = ["libspatialite.so.8", "libspatialite.so.7", "libspatialite.so"]
  #endif

  private static func open() throws(SpatiaLiteFailure) -> SpatiaLiteLibrary {
    guard !isStaticProgram else { throw .staticProgram }
    var failure = SpatiaLiteFailure.missing
    for name in names {
      if let handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL) {
        return try SpatiaLiteLibrary(handle, name: name)
      }
      // A library that is found, but needs another one that is missing, is a reason of its own.
      // Sound: the text is copied before the next call of this thread.
      let reason = dlerror().map { String(cString: $0) } ?? ""
      if failure == .missing, !reason.hasPrefix(name + ":") {
        failure = .unusable(file: name, reason: SQLiteFailure.oneLine(reason))
      }
    }
    throw failure
  }

  /// Finds the functions.
  private init(_ handle: UnsafeMutableRawPointer, name: String) throws(SpatiaLiteFailure) {
    func address(of function: String) throws(SpatiaLiteFailure) -> UnsafeMutableRawPointer {
      guard let address = dlsym(handle, function) else {
        throw .unusable(file: name, reason: "it has no function \(function)")
      }
      return address
    }
    // A library with an SQLite of its own would read this program's connections as if they had that
    // one's layout.
    let own: @convention(c) () -> UnsafePointer<CChar>? = sqlite3_libversion
    // Unsafe: a C function's value is its address; it is compared and not called.
    let ownAddress = unsafeBitCast(own, to: UnsafeMutableRawPointer.self)
    guard try address(of: "sqlite3_libversion") == ownAddress else {
      throw .unusable(file: name, reason: "it uses another copy of SQLite than this program")
    }
    self.name = name
    // Sound: the types are those of the header, which have not changed since SpatiaLite 4, and the
    // library is never closed.
    allocate = unsafeBitCast(
      try address(of: "spatialite_alloc_connection"), to: Allocate.self)
    initialize = unsafeBitCast(try address(of: "spatialite_init_ex"), to: Initialize.self)
    cleanUp = unsafeBitCast(try address(of: "spatialite_cleanup_ex"), to: CleanUp.self)
    version = unsafeBitCast(try address(of: "spatialite_version"), to: Version.self)
  }

  /// Whether the program was started without a loader, as a static one is. Its C library could open
  /// only libraries of exactly its own version, and crash with others.
  private static var isStaticProgram: Bool {
    #if os(Linux)
      // Pairs of numbers from the kernel: getauxval(3), AT_BASE is the loader's address.
      guard let bytes = FileManager.default.contents(atPath: "/proc/self/auxv") else {
        return false
      }
      let words = bytes.withUnsafeBytes { buffer in
        stride(from: 0, to: buffer.count - 7, by: 8).map {
          buffer.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
        }
      }
      for pair in stride(from: 0, to: words.count - 1, by: 2) where words[pair] == 7 {
        return words[pair + 1] == 0
      }
      return false
    #else
      return false
    #endif
  }
}
