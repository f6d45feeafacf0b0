/// The address of a PostgreSQL database: `postgres://user@host:5432/database`, or
/// `host=… dbname=…`. What it leaves out comes from the variables `PGHOST`, `PGUSER` and so on,
/// from a service file and from `~/.pgpass`, as for every client of PostgreSQL
/// (https://www.postgresql.org/docs/current/libpq-connect.html).
///
/// ```swift
/// import PostgresPush
///
/// let address = try PostgresAddress("postgres://anna@db.example.org/club")
/// ```
public struct PostgresAddress: Hashable, Sendable {
  /// The keywords and values, without a password.
  let values: [String: String]
  /// The password; nil if it comes from elsewhere or none is needed.
  public var password: String?

  /// Reads an address.
  ///
  /// - Parameters:
  ///   - text: the address, without a password.
  ///   - password: the password; nil to use that of `PGPASSWORD` or `~/.pgpass`, if any is needed.
  /// - Throws: ``PostgresError/badAddress(reason:)``, ``PostgresError/passwordInAddress``,
  ///   ``PostgresError/unavailable(reason:)``.
  public init(_ text: String, password: String? = nil) throws(PostgresError) {
    self.password = password
    values = try Self.parse(text)
    // Of a password with a slash, the beginning looks like a port, and errors would show it.
    guard values["port"].map({ $0.allSatisfy { "0123456789,".contains($0) } }) ?? true else {
      throw .badAddress(reason: "the port is not a number")
    }
    if values["password"] != nil || values["sslpassword"] != nil { throw .passwordInAddress }
  }

  private static func parse(_ text: String) throws(PostgresError) -> [String: String] {
    guard text.contains("://") || text.contains("=") else {
      throw .badAddress(reason: "it does not begin with postgres://")
    }
    guard !text.utf8.contains(0) else { throw .badAddress(reason: "it contains a zero byte") }
    let library = try LibPQ.use()
    var message: UnsafeMutablePointer<CChar>?
    guard let options = library.parse(text, &message) else {
      defer { library.freeMemory(message) }
      // The message may quote a part of the address, which may be a password.
      let isPrivate = text.contains("@") || text.contains("password")
      let reason = ServerText.line(CStrings.text(message))
      throw .badAddress(reason: isPrivate ? "it is not a PostgreSQL URL" : reason)
    }
    defer { library.freeOptions(options) }
    var values: [String: String] = [:]
    var option = UnsafeRawPointer(options)
    // Sound: each option has two pointers to texts or null there, the array ends with an option
    // without a keyword, and it is freed after this.
    while let keyword = option.load(as: UnsafePointer<CChar>?.self) {
      let value = option.load(
        fromByteOffset: LibPQ.Option.valueOffset, as: UnsafePointer<CChar>?.self)
      if let value { values[String(cString: keyword)] = String(cString: value) }
      option += LibPQ.Option.byteCount
    }
    return values
  }

  /// The keywords and values with which a connection is made.
  var parameters: [(keyword: String, value: String)] {
    var all = values
    all["client_encoding"] = "UTF8"
    all["password"] = password
    for (keyword, value) in ["connect_timeout": "15", "fallback_application_name": "roqua"]
    where all[keyword] == nil { all[keyword] = value }
    return all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

/// Printing an address never shows the password.
extension PostgresAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
  /// The keywords and values, as libpq reads them.
  public var description: String {
    values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }
  /// As ``description``.
  public var debugDescription: String { description }
  /// The keywords and values.
  public var customMirror: Mirror { Mirror(self, children: ["values": values]) }
}
