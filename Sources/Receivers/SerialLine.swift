import Foundation

/// Settings of serial lines.
package enum SerialLine {
  /// The speeds that can be set, in bits per second.
  package static let speeds = speedCodes.map(\.speed)

  private static let speedCodes: [(speed: Int, code: speed_t)] = [
    (1_200, speed_t(B1200)), (2_400, speed_t(B2400)), (4_800, speed_t(B4800)),
    (9_600, speed_t(B9600)), (19_200, speed_t(B19200)), (38_400, speed_t(B38400)),
    (57_600, speed_t(B57600)), (115_200, speed_t(B115200)), (230_400, speed_t(B230400)),
  ]

  /// The speed that is set if none is given: that of most receivers. Those on USB ignore it.
  package static let defaultSpeed = 9_600

  /// Makes a terminal line give its bytes as they come: 8 data bits, no parity, no echo, no signals
  /// from control characters, no modem lines.
  static func makeRaw(_ descriptor: Int32, speed: Int) throws(ReceiverError) {
    guard let code = speedCodes.first(where: { $0.speed == speed })?.code else {
      throw ReceiverError("\(speed) is no speed of a serial line", isFinal: true)
    }
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else {
      throw ReceiverError("its line settings cannot be read", errno: errno)
    }
    cfmakeraw(&settings)
    settings.c_cflag |= tcflag_t(CLOCAL | CREAD)
    cfsetispeed(&settings, code)
    cfsetospeed(&settings, code)
    guard tcsetattr(descriptor, TCSANOW, &settings) == 0 else {
      throw ReceiverError("its line settings cannot be changed", errno: errno)
    }
  }
}
