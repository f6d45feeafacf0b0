import ByteStreams
import Foundation

/// The functions of an opened `libpq`, PostgreSQL's client library.
///
/// It is opened when it is needed, because linking it would make every start of the tool 3 ms
/// slower (`docs/decisions/libpq-at-run-time.md`).
///
/// - Source: the header `libpq-fe.h` of PostgreSQL; the interface of `libpq.so.5` has been the same
///   since 2006.
struct LibPQ: Sendable {
  typealias Connection = OpaquePointer
  typealias Result = OpaquePointer
  typealias Text = UnsafePointer<CChar>
  typealias Texts = UnsafePointer<Text?>

  let connect: @convention(c) @Sendable (Texts, Texts, Int32) -> Connection?
  let finish: @convention(c) @Sendable (Connection) -> Void
  let status: @convention(c) @Sendable (Connection) -> Int32
  let errorMessage: @convention(c) @Sendable (Connection) -> Text?
  let needsPassword: @convention(c) @Sendable (Connection) -> Int32
  let user: @convention(c) @Sendable (Connection) -> Text?
  let setNoticeProcessor:
    @convention(c) @Sendable (
      Connection, @convention(c) (UnsafeMutableRawPointer?, Text?) -> Void, UnsafeMutableRawPointer?
    ) -> UnsafeRawPointer?

  let parse:
    @convention(c) @Sendable (
      Text, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) -> UnsafeMutableRawPointer?
  let freeOptions: @convention(c) @Sendable (UnsafeMutableRawPointer) -> Void
  let freeMemory: @convention(c) @Sendable (UnsafeMutableRawPointer?) -> Void

  let execute: @convention(c) @Sendable (Connection, Text) -> Result?
  let executeWithParameters:
    @convention(c) @Sendable (
      Connection, Text, Int32, UnsafePointer<UInt32>?, Texts, UnsafePointer<Int32>?,
      UnsafePointer<Int32>?, Int32
    ) -> Result?
  let nextResult: @convention(c) @Sendable (Connection) -> Result?
  let putCopyData: @convention(c) @Sendable (Connection, Text?, Int32) -> Int32
  let putCopyEnd: @convention(c) @Sendable (Connection, Text?) -> Int32
  let getCopyData:
    @convention(c) @Sendable (
      Connection, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, Int32
    ) -> Int32

  let resultStatus: @convention(c) @Sendable (Result) -> Int32
  let errorField: @convention(c) @Sendable (Result, Int32) -> Text?
  let rowCount: @convention(c) @Sendable (Result) -> Int32
  let changedRows: @convention(c) @Sendable (Result) -> Text?
  let isNull: @convention(c) @Sendable (Result, Int32, Int32) -> Int32
  let value: @convention(c) @Sendable (Result, Int32, Int32) -> Text?
  let clear: @convention(c) @Sendable (Result) -> Void

  /// `ConnStatusType`: the connection works.
  static let isConnected: Int32 = 0

  /// `ExecStatusType`: how a statement ended.
  enum Status: Int32 {
    case emptyQuery, commandDone, rows, copyOut, copyIn, badResponse, warning, failure
  }

  /// `PQconninfoOption`: six pointers, of which the first is the keyword and the fourth the value,
  /// and an `int`.
  enum Option {
    static let byteCount = 7 * MemoryLayout<Int>.size
    static let valueOffset = 3 * MemoryLayout<Int>.size
  }

  /// The library, opened by the first use and never closed, or the reason why there is none.
  private static let shared = Swift.Result { () throws(PostgresError) in try open() }

  /// The library.
  ///
  /// - Throws: ``PostgresError/unavailable(reason:)``.
  static func use() throws(PostgresError) -> LibPQ { try shared.get() }

  #if canImport(Darwin)
    private static let names = [
      "libpq.5.dylib", "/opt/homebrew/opt/libpq/lib/libpq.5.dylib",
      "/usr/local/opt/libpq/lib/libpq.5.dylib",
    ]
  #else
    private static let names = ["libpq.so.5"]
  #endif

  private static func open() throws(PostgresError) -> LibPQ {
    let (handle, name): (UnsafeMutableRawPointer, String)
    do throws(SystemLibrary.Failure) {
      (handle, name) = try SystemLibrary.open(names)
    } catch {
      switch error {
      case .missing:
        throw .unavailable(
          reason: "libpq is not installed (on Debian and Ubuntu: apt install libpq5; with "
            + "Homebrew: brew install libpq)")
      case .staticProgram:
        throw .unavailable(
          reason: "this program is linked statically and cannot load libpq; use the one of the "
            + "Debian package, or build it from source")
      case .unusable(let file, let reason):
        throw .unavailable(reason: "\(file) cannot be used: \(ServerText.line(reason))")
      }
    }
    return try LibPQ(handle, name: name)
  }

  /// Finds the functions.
  private init(_ handle: UnsafeMutableRawPointer, name: String) throws(PostgresError) {
    func find<T>(_ function: String, _: T.Type = T.self) throws(PostgresError) -> T {
      guard let address = dlsym(handle, function) else {
        throw .unavailable(reason: "\(name) has no function \(function)")
      }
      // Sound: each property has the type of the function in the header, and the library is never
      // closed.
      return unsafeBitCast(address, to: T.self)
    }
    connect = try find("PQconnectdbParams")
    finish = try find("PQfinish")
    status = try find("PQstatus")
    errorMessage = try find("PQerrorMessage")
    needsPassword = try find("PQconnectionNeedsPassword")
    user = try find("PQuser")
    setNoticeProcessor = try find("PQsetNoticeProcessor")
    parse = try find("PQconninfoParse")
    freeOptions = try find("PQconninfoFree")
    freeMemory = try find("PQfreemem")
    execute = try find("PQexec")
    executeWithParameters = try find("PQexecParams")
    nextResult = try find("PQgetResult")
    putCopyData = try find("PQputCopyData")
    putCopyEnd = try find("PQputCopyEnd")
    getCopyData = try find("PQgetCopyData")
    resultStatus = try find("PQresultStatus")
    errorField = try find("PQresultErrorField")
    rowCount = try find("PQntuples")
    changedRows = try find("PQcmdTuples")
    isNull = try find("PQgetisnull")
    value = try find("PQgetvalue")
    clear = try find("PQclear")
  }
}
