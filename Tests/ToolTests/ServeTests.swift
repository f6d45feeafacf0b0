import Foundation
import SQLiteLayer
import TestSupport
import Testing

/// `roqua serve`: tokens, and a server that is spoken to over a socket. `scripts/test-serve` loads
/// it, kills it and attacks it.
@Suite struct ServeTests {
  /// A running server.
  private struct Server {
    let running: RunningRoqua
    let port: UInt16

    init(_ bench: Bench, _ options: String...) throws {
      running = try bench.process(["serve", "--listen", "127.0.0.1:0"] + options).start()
      let end = Date(timeIntervalSinceNow: 60)
      var found: UInt16?
      while found == nil, Date() < end {
        usleep(20_000)
        let line = running.outputSoFar().split(separator: " ").first { $0.hasPrefix("http://") }
        found = line?.split(separator: ":").last.flatMap { UInt16($0.prefix(while: \.isNumber)) }
      }
      port = try #require(found, "the server does not listen")
    }

    /// The status line and the body of an answer.
    func send(_ head: String, body: String = "") throws -> (status: String, body: String) {
      let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
      let text = "\(head)\r\nHost: x\r\nConnection: close\r\n\(length)\r\n\(body)"
      let answer = String(decoding: try exchange(Array(text.utf8)), as: UTF8.self)
      let parts = answer.components(separatedBy: "\r\n\r\n")
      return (
        answer.components(separatedBy: "\r\n")[0], parts.dropFirst().joined(separator: "\r\n\r\n")
      )
    }

    private func exchange(_ bytes: [UInt8]) throws -> [UInt8] {
      #if canImport(Darwin)
        let descriptor = socket(AF_INET, SOCK_STREAM, 0)
      #else
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      #endif
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      let connected = withUnsafePointer(to: &address) { pointer in
        // Sound: every address begins like `sockaddr`.
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      try #require(connected == 0)
      try #require(write(descriptor, bytes, bytes.count) == bytes.count)
      var (answer, piece) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
      while true {
        let count = read(descriptor, &piece, piece.count)
        guard count > 0 else { return answer }
        answer += piece[..<count]
      }
    }
  }

  private func token(_ bench: Bench, _ arguments: String...) throws -> String {
    let result = try bench.roqua(["serve", "token", "add"] + arguments)
    try #require(result.status == 0, "\(result.err)")
    return result.out.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test func `tokens are made, listed and removed, and shown once`() throws {
    let bench = try Bench()
    let secret = try token(bench, "phone")
    #expect(secret.count == 43)
    #expect(try bench.roqua("serve", "token", "add", "phone").status == 1)
    #expect(try bench.roqua("serve", "token", "add", "a b").status == 64)
    _ = try token(bench, "browser", "--read")
    let list = try bench.json("serve", "token", "list")
    #expect("\(list)".contains("browser") && !"\(list)".contains(secret))
    let file = try String(contentsOfFile: bench.storePath + ".tokens", encoding: .utf8)
    #expect(!file.contains(secret))
    #expect(try bench.roqua("serve", "token", "remove", "phone").status == 0)
    #expect(try bench.roqua("serve", "token", "remove", "phone").status == 64)
    #expect(!bench.hasStore)
  }

  @Test func `a phone is recorded, and SIGTERM stores what has come`() throws {
    let bench = try Bench()
    let (phone, reader) = (try token(bench, "phone"), try token(bench, "browser", "--read"))
    let server = try Server(bench)
    let path = "/osmand/\(phone)?lat=48.58&lon=7.75&timestamp=1714557600&accuracy=8"
    #expect(try server.send("GET \(path) HTTP/1.1").status == "HTTP/1.1 200 OK")
    let body = "{\"_type\":\"location\",\"tst\":1714557700,\"lat\":48.59,\"lon\":7.75,\"acc\":8}"
    let answer = try server.send(
      "POST /owntracks HTTP/1.1\r\nAuthorization: Bearer \(phone)", body: body)
    #expect(answer.status == "HTTP/1.1 200 OK" && answer.body == "[]")
    #expect(try server.send("GET /api HTTP/1.1").status.contains(" 401 "))
    let api = try server.send("GET /api/stats HTTP/1.1\r\nAuthorization: Bearer \(reader)")
    #expect(api.status == "HTTP/1.1 200 OK" && api.body.contains("\"cells\":"))
    // Another server must not record into the store at the same time.
    let second = try bench.roqua("serve", "--listen", "127.0.0.1:0")
    #expect(second.status == 1 && second.err.contains("another server"))
    server.running.send(SIGTERM)
    #expect(server.running.wait(seconds: 60))
    let result = try server.running.result()
    #expect(result.status == 0 && !result.wasKilled)
    #expect(!result.out.contains(phone) && !result.err.contains(phone))
    let sources = try bench.roqua("sources", "--json").out
    #expect(sources.contains("\"path\":\"phone\"") && sources.contains("\"kept\":2"))
  }

  @Test func `a damaged row of the inbox is named, and phones are recorded`() throws {
    let bench = try Bench()
    let phone = try token(bench, "phone")
    let first = try Server(bench)
    first.running.send(SIGTERM)
    #expect(first.running.wait(seconds: 60))
    do {
      let inbox = try Connection(path: bench.storePath + ".inbox", flags: 2)  // READWRITE
      try inbox.execute(
        "INSERT INTO received (device_id, latitude_e7, longitude_e7) VALUES (9, 0, 0)")
    }
    let server = try Server(bench)
    let path = "/osmand/\(phone)?lat=48.58&lon=7.75&timestamp=1714557600&accuracy=8"
    #expect(try server.send("GET \(path) HTTP/1.1").status == "HTTP/1.1 200 OK")
    server.running.send(SIGTERM)
    #expect(server.running.wait(seconds: 60))
    let result = try server.running.result()
    #expect(result.status == 0 && result.errorLines.count == 1)
    #expect(
      result.err.hasSuffix(
        ".inbox: row 1 of the table received was set aside: its device is unknown; the other rows "
          + "are recorded\n"), "\(result.err)")
    #expect(try bench.roqua("sources", "--json").out.contains("\"kept\":1"))
  }

  @Test func `a port in use leaves nothing behind`() throws {
    let (bench, other) = (try Bench(), try Bench())
    let server = try Server(other)
    let result = try bench.roqua("serve", "run", "--listen", "127.0.0.1:\(server.port)")
    #expect(
      result.status == 1
        && result.err
          == "roqua: 127.0.0.1:\(server.port): cannot listen: Address already in use\n"
    )
    #expect(try FileManager.default.subpathsOfDirectory(atPath: bench.folder.path) == [])
    // Of the same store, the other server is what matters.
    let again = try other.roqua("serve", "--listen", "127.0.0.1:\(server.port)")
    #expect(again.status == 1 && again.err.contains("another server"))
    server.running.send(SIGTERM)
    #expect(server.running.wait(seconds: 60))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self"), "there is no /proc"))
  func `tokens that cannot be stored are reported in words`() throws {
    let bench = try Bench()
    let result = try bench.roqua("serve", "token", "add", "x", "--store", "/proc/x.sqlite")
    #expect(result.status == 1)
    #expect(
      result.err
        == "roqua: /proc/x.sqlite.tokens: cannot be written: No such file or directory\n")
  }

  /// Commands that are no questions: they change something, read or write files, run programs or
  /// SQL, say where privacy zones are, choose or share the store, or take all of the time of the
  /// machine (`check`).
  private static let noQuestions: Set<String> = [
    "import", "photos", "map", "export", "sql", "live", "forget", "zone", "rebuild", "check",
    "sync", "backup", "restore", "lock", "unlock", "profile", "adopt", "serve", "bench",
    "push", "pull",
  ]
  /// Options of questions that choose the store or the form of the answer, name files, or are about
  /// a change.
  private static let noParameters: Set<String> = [
    "store", "json", "version", "help", "export", "import", "force", "polygon", "batch", "csv",
    "lat-column", "lon-column", "dry-run",
  ]

  @Test func `every question has every option that is not about files, and errors are sentences`()
    throws
  {
    let bench = try Bench()
    let reader = try token(bench, "browser", "--read")
    let server = try Server(bench)
    func ask(_ path: String) throws -> (status: String, body: String) {
      try server.send("GET /api/\(path) HTTP/1.1\r\nAuthorization: Bearer \(reader)")
    }
    let help = try bench.roqua("--help").out.components(separatedBy: "SUBCOMMANDS:\n")
    let names = try #require(help.last).split(separator: "\n")
      .filter { $0.hasPrefix("  ") && !$0.hasPrefix("   ") && !$0.hasPrefix("  See") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(names.count > 20)
    for name in names {
      guard !Self.noQuestions.contains(name) else {
        #expect(try ask(name).status.contains(" 404 "), "\(name)")
        continue
      }
      let options = try bench.roqua(name, "--help").out.matches(of: /\n  (?:-\w, )?--([a-z-]+)/)
        .map { String($0.1) }
      for option in options where !Self.noParameters.contains(option) {
        // Refused before the command runs, in other words if there is no such parameter.
        let answer = try ask("\(name)?\(option)=%00")
        #expect(answer.body.contains("control characters"), "\(name) --\(option): \(answer.body)")
      }
    }
    for (path, error) in [
      ("stats?country=XX", #"No country is called \"XX\". Did you mean Kosovo (XK)?"#),
      ("stats?top=x", "The value 'x' is invalid for top: it must be a whole number of at least 1."),
      ("at?time=x", #"\"x\" is not a time such as 2024-05-01T10:00:00Z."#),
    ] {
      let answer = try ask(path)
      #expect(answer.status.contains(" 400 ") && answer.body == "{\"error\":\"\(error)\"}\n")
    }
    for name in ["achievements", "within?country=FR"] {
      #expect(try ask(name).status == "HTTP/1.1 200 OK", "\(name)")
    }
    server.running.send(SIGTERM)
    #expect(server.running.wait(seconds: 60))
  }

  @Test func `wrong addresses are refused`() throws {
    let bench = try Bench()
    for address in ["nowhere", "127.0.0.1:99999", "1:2:3", ":80", "127.0.0.1:"] {
      #expect(try bench.roqua("serve", "--listen", address).status == 64, "\(address)")
    }
    #expect(try bench.roqua("serve", "--listen", "0.0.0.0:0", "--open-pages").status == 64)
    #expect(try bench.roqua("serve", "--listen", "192.0.2.1:1").status == 1)
    let unknown = try bench.roqua("serve", "--listen", "host.invalid:80")
    #expect(
      unknown.status == 1
        && unknown.err
          == "roqua: host.invalid:80: cannot listen: no address of this name is known\n"
    )
    #expect(!bench.hasStore)
  }
}
