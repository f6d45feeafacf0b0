import Testing

@testable import Receivers

@Suite struct ReceiverAddressTests {
  @Test(arguments: [
    ("-", ReceiverAddress.standardInput), ("/dev/ttyUSB0", .path("/dev/ttyUSB0")),
    ("log.nmea", .path("log.nmea")), ("tcp:log", .path("tcp:log")),
    ("tcp://box.local:10110", .tcp(host: "box.local", port: 10_110)),
    ("TCP://10.0.0.1:1", .tcp(host: "10.0.0.1", port: 1)),
    ("tcp://[::1]:65535", .tcp(host: "::1", port: 65_535)),
    ("gpsd://localhost", .gpsd(host: "localhost", port: 2_947, device: nil)),
    ("gpsd://localhost/", .gpsd(host: "localhost", port: 2_947, device: nil)),
    (
      "gpsd://localhost:3000/dev/ttyUSB0",
      .gpsd(host: "localhost", port: 3_000, device: "/dev/ttyUSB0")
    ),
    ("gpsd://[fe80::1]/dev/a", .gpsd(host: "fe80::1", port: 2_947, device: "/dev/a")),
  ])
  func `addresses are read`(text: String, expected: ReceiverAddress) throws {
    #expect(try ReceiverAddress(text) == expected)
  }

  @Test(arguments: [
    "", "tcp://", "tcp://host", "tcp://host:", "tcp://host:0", "tcp://host:65536", "tcp://host:-1",
    "tcp://host:+1", "tcp://host:1/path", "tcp://:1", "tcp://::1:1", "tcp://[::1:1",
    "tcp://[::1]1", "tcp://[]:1", "tcp://me@host:1", "gpsd://", "gpsd:///dev/a", "gpsd://host:x",
    "http://host:1", "udp://host:1", "a\u{0}b", "tcp://host:١",
  ])
  func `other texts are refused with a sentence`(text: String) {
    #expect {
      try ReceiverAddress(text)
    } throws: { error in
      (error as? ReceiverAddress.Flaw)?.description.hasSuffix(".") == true
    }
  }

  @Test(arguments: [
    "tcp://box:1", "tcp://[::1]:2", "gpsd://localhost", "gpsd://h:3/dev/a", "/dev/ttyS0",
  ])
  func `an address is shown as it is read`(text: String) throws {
    let address = try ReceiverAddress(text)
    #expect(address.description == text)
    #expect(try ReceiverAddress(address.description) == address)
  }

  @Test func `gpsd is asked for messages, or for the sentences of the device`() throws {
    var options = ByteSource.Options(try ReceiverAddress("gpsd://h/dev/a\"b"))
    #expect(ByteSource.request(options) == "?WATCH={\"enable\":true,\"json\":true};\n")
    options.asksForNMEA = true
    #expect(
      ByteSource.request(options)
        == #"?WATCH={"enable":true,"nmea":true,"device":"/dev/a\"b"};"# + "\n")
  }
}
