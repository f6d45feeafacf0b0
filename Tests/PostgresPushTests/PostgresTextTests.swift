import ByteStreams
import TestSupport
import Testing

@testable import PostgresPush

/// Texts that come from people and from servers.
@Suite struct PostgresTextTests {
  @Test func `a message is one line without control characters`() {
    #expect(
      ServerText.line("  connection failed:\u{1B}[31m no.\nIs it running?")
        == "connection failed:[31m no")
    #expect(ServerText.line("") == "")
    #expect(ServerText.line(String(repeating: "x", count: 400)).count == 300)
  }

  /// Without `libpq`, an address cannot be read, and the error says so.
  private func error(_ address: String) -> PostgresError? {
    do {
      _ = try PostgresAddress(address)
      return nil
    } catch {
      return error
    }
  }

  @Test(.enabled(if: (try? LibPQ.use()) != nil, "libpq is not installed"))
  func `no error shows a password, and no address may have one`() {
    for address in [
      "postgres://anna:secret7@host/db", "host=h password=secret7",
      "postgres://h/db?password=secret7",
      "postgres://anna:secret7@host:port/db", "postgres://anna:secret7/x@host/db",
      "postgres://anna:secret7@[::1/db",
      "host='h password=secret7", "postgres://h/db?sslpassword=secret7",
    ] {
      let error = error(address)
      #expect(error != nil, "\(address)")
      #expect(!"\(String(describing: error))".contains("secret7"))
      #expect(error.map { !$0.description.contains("secret7") } == true)
    }
    #expect(error("postgres://anna:secret7@host/db") == .passwordInAddress)
    #expect(error("club") == .badAddress(reason: "it does not begin with postgres://"))
  }

  @Test(.enabled(if: (try? LibPQ.use()) != nil, "libpq is not installed"))
  func `an address gives the keywords of a connection`() throws {
    var address = try PostgresAddress("postgres://anna@db.example.org:5433/club?sslmode=require")
    let expected = [
      "client_encoding": "UTF8", "connect_timeout": "15", "dbname": "club",
      "fallback_application_name": "roqua", "host": "db.example.org", "port": "5433",
      "sslmode": "require", "user": "anna",
    ]
    #expect(Dictionary(uniqueKeysWithValues: address.parameters.map { ($0, $1) }) == expected)
    address.password = "x"
    #expect(address.parameters.contains { $0 == ("password", "x") })
  }

  @Test(arguments: Seeds.sample(20))
  func `hashes are the same as text and as bytes`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let text = Hexadecimal.text(bytes)
    #expect(SHA256Text.bytes(text) == bytes)
    for wrong in [
      String(text.dropLast()), text + "0", "g" + text.dropFirst(), "É" + text.dropFirst(2),
    ] {
      #expect(SHA256Text.bytes(wrong) == nil)
    }
    let digest = PieceDigest(of: bytes)
    let digits = Hexadecimal.text(digest.bytes)
    #expect(PieceDigest(uuid: digits) == digest)
    #expect(PieceDigest(uuid: String(digits.dropLast())) == nil)
  }

  @Test func `marks are uuids`() {
    let mark = PushMark.random()
    #expect(mark.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
    #expect(mark != PushMark.random())
    #expect(PieceDigest(uuid: mark) != nil)
  }
}
