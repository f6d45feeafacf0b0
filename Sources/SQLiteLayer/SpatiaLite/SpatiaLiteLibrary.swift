import ByteStreams
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
    let (handle, name): (UnsafeMutableRawPointer, String)
    do throws(SystemLibrary.Failure) {
      (handle, name) = try SystemLibrary.open(names)
    } catch {
      switch error {
      case .missing: throw .missing
      case .staticProgram: throw .staticProgram
      case .unusable(let file, let reason):
        throw .unusable(file: file, reason: SQLiteFailure.oneLine(reason))
      }
    }
    return try SpatiaLiteLibrary(handle, name: name)
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
}
