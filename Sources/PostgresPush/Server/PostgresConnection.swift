/// A connection to a PostgreSQL database, closed when it is released. Not `Sendable`: only one
/// thread may use it at a time.
final class PostgresConnection {
  private let library: LibPQ
  private let handle: LibPQ.Connection

  /// Connects.
  ///
  /// - Throws: ``PostgresError/cannotConnect(reason:)``, ``PostgresError/passwordNeeded``.
  init(_ address: PostgresAddress) throws(PostgresError) {
    let library = try LibPQ.use()
    let parameters = address.parameters
    let made = CStrings.with(parameters.map(\.keyword)) { keywords in
      CStrings.with(parameters.map(\.value)) { values in library.connect(keywords, values, 0) }
    }
    guard let made else { throw .cannotConnect(reason: "out of memory") }
    guard library.status(made) == LibPQ.isConnected else {
      let reason = ServerText.line(CStrings.text(library.errorMessage(made)))
      let isPasswordMissing = library.needsPassword(made) == 1
      library.finish(made)
      if isPasswordMissing { throw .passwordNeeded }
      throw .cannotConnect(reason: reason)
    }
    (self.library, handle) = (library, made)
    // Notices are for people at a prompt.
    _ = library.setNoticeProcessor(handle, { _, _ in }, nil)
  }

  deinit { library.finish(handle) }

  /// The name of the user who connected.
  var user: String { CStrings.text(library.user(handle)) }

  /// Runs a statement, and returns its rows as text.
  ///
  /// - Parameter parameters: the values of `$1`, `$2` and so on, as text; nil is NULL.
  @discardableResult
  func run(
    _ sql: String, _ parameters: [String?] = []
  ) throws(PostgresError) -> PostgresResult {
    let result = CStrings.withOptional(parameters) { values in
      library.executeWithParameters(handle, sql, Int32(parameters.count), nil, values, nil, nil, 0)
    }
    return try check(result, [.commandDone, .rows])
  }

  /// Runs several statements without parameters.
  func runScript(_ sql: String) throws(PostgresError) {
    _ = try check(library.execute(handle, sql), [.commandDone, .rows, .emptyQuery])
  }

  /// Runs `COPY … FROM STDIN`, and sends what `body` writes.
  ///
  /// - Throws: ``PostgresError``, and what `body` throws; the statement has then failed.
  func copyIn(_ sql: String, _ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void)
    throws
  {
    _ = try check(library.execute(handle, sql), [.copyIn])
    do {
      try body { bytes in try self.send(bytes) }
    } catch {
      _ = library.putCopyEnd(handle, "canceled")
      let refusal = self.lastFailure()
      // If the server has ended it, its reason is the reason.
      throw (error as? PostgresError).flatMap { _ in refusal } ?? error
    }
    guard library.putCopyEnd(handle, nil) == 1 else { throw lost() }
    if let failure = lastFailure() { throw failure }
  }

  private func send(_ bytes: UnsafeRawBufferPointer) throws(PostgresError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let part = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 20))
      // Sound: the bytes are only read, as characters, during the call.
      let start = part.bindMemory(to: CChar.self).baseAddress
      guard library.putCopyData(handle, start, Int32(part.count)) == 1 else { throw lost() }
      rest = rest.dropFirst(part.count)
    }
  }

  /// Runs `COPY … TO STDOUT`, and calls `body` with each message: a row, the first one after the
  /// header.
  func copyOut(_ sql: String, _ body: ([UInt8]) throws -> Void) throws {
    _ = try check(library.execute(handle, sql), [.copyOut])
    while true {
      var buffer: UnsafeMutablePointer<CChar>?
      let count = library.getCopyData(handle, &buffer, 0)
      guard count > 0, let buffer else {
        if count == -2 { throw lost() }
        if let failure = lastFailure() { throw failure }
        return
      }
      defer { library.freeMemory(buffer) }
      // Sound: the buffer has `count` bytes and is freed after the call.
      try body([UInt8](UnsafeRawBufferPointer(start: buffer, count: Int(count))))
    }
  }

  /// Reads the results that are left, and returns the first failure.
  private func lastFailure() -> PostgresError? {
    var failure: PostgresError?
    while let result = library.nextResult(handle) {
      let status = LibPQ.Status(rawValue: library.resultStatus(result))
      if status == .failure || status == .badResponse {
        failure = failure ?? error(result)
      }
      library.clear(result)
      // A connection that is lost may report so for ever.
      if library.status(handle) != LibPQ.isConnected { return failure ?? lost() }
    }
    return failure
  }

  private func check(
    _ result: LibPQ.Result?, _ expected: [LibPQ.Status]
  ) throws(PostgresError) -> PostgresResult {
    guard let result else { throw lost() }
    guard expected.contains(where: { $0.rawValue == library.resultStatus(result) }) else {
      defer { library.clear(result) }
      throw error(result)
    }
    return PostgresResult(result, of: library)
  }

  private func error(_ result: LibPQ.Result) -> PostgresError {
    // Fields of <postgres_ext.h>: the SQLSTATE, and the message without details and hints.
    func field(_ code: Character) -> String? {
      library.errorField(result, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
    }
    guard library.status(handle) == LibPQ.isConnected, let code = field("C") else {
      if let message = field("M") { return .connectionLost(reason: ServerText.line(message)) }
      return lost()
    }
    return .refused(code: code, reason: ServerText.line(field("M") ?? ""))
  }

  private func lost() -> PostgresError {
    .connectionLost(reason: ServerText.line(CStrings.text(library.errorMessage(handle))))
  }
}
