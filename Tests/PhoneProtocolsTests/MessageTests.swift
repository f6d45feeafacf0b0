import Geodesy
import PhoneProtocols
import SeededRandom
import Testing
import TrackIngest

@Suite struct MessageTests {
  private static let bodies: [(PhoneApp, String)] = [
    (.owntracks, "{\"_type\":\"location\",\"tst\":1714032000,\"lat\":1.25,\"lon\":-2.5,\"acc\":8}"),
    (
      .overland,
      "{\"locations\":[{\"geometry\":{\"type\":\"Point\",\"coordinates\":[-2.5,1.25]},"
        + "\"properties\":{\"timestamp\":\"2024-04-25T08:00:00Z\",\"horizontal_accuracy\":8}}]}"
    ),
    (
      .traccar,
      "{\"location\":{\"timestamp\":\"2024-04-25T08:00:00Z\",\"coords\":{\"latitude\":1.25,"
        + "\"longitude\":-2.5,\"accuracy\":8}},\"device_id\":\"1\"}"
    ),
    (.gpslogger, "{\"time\":1714032000,\"latitude\":1.25,\"longitude\":-2.5,\"accuracy\":8}"),
  ]

  private static func read(_ app: PhoneApp, _ body: [UInt8]) throws -> PhoneReading {
    try app.read(
      PhoneMessage(contentType: "application/json", body: body), now: DocumentedRequestTests.now)
  }

  @Test func `the same position reads the same from every app`() throws {
    let readings = try Self.bodies.map { try Self.read($0.0, Array($0.1.utf8)) }
    #expect(Set(readings).count == 1 && readings.first?.fixes.count == 1)
  }

  @Test(arguments: 0..<4) func `a message cut off anywhere gives no fix`(index: Int) {
    let (app, body) = Self.bodies[index]
    let bytes = Array(body.utf8)
    for end in bytes.indices {
      let reading = try? Self.read(app, Array(bytes[..<end]))
      #expect(reading?.fixes.isEmpty ?? true, "\(end)")
    }
  }

  @Test(arguments: 0..<200) func `a damaged message gives valid fixes or an error`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let (app, body) = Self.bodies[seed % Self.bodies.count]
    var bytes = Array(body.utf8)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
        in: 0...255, using: &random)
    }
    for fix in (try? Self.read(app, bytes))?.fixes ?? [] {
      #expect(abs(fix.coordinate.latitudeE7) <= 900_000_000)
      #expect((fix.time?.millisecondsSince1970 ?? 0) >= 0)
    }
  }

  @Test func `fields are decoded as browsers encode them`() {
    let fields = FormFields(Array("a=1+2&b=%C3%A9%2B&c&=x&a=3&d=100%&e=%zz&f==&&".utf8))
    #expect(fields.text("a") == "1 2")
    #expect(fields.text("b") == "é+")
    #expect(fields.text("c") == nil)
    #expect(fields.text("d") == "100%")
    #expect(fields.text("e") == "%zz")
    #expect(fields.text("f") == "=")
  }

  @Test func `the number of fields is limited`() {
    let many = Array(String(repeating: "a=1&", count: 100_000).utf8)
    #expect(FormFields(many).list.count == FormFields.maximumCount)
  }
}
