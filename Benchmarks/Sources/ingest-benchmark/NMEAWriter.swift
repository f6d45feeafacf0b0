/// NMEA styles of common receivers.
enum NMEAStyle: String, CaseIterable {
  /// RMC and GGA each second.
  case plain
  /// RMC, VTG, GGA and GSA each second, GSV and GST every fourth.
  case chatty
}

/// Writes an NMEA log of at least `size` bytes, and records each epoch; in `chatty` logs without
/// its accuracy.
func makeNMEA(_ style: NMEAStyle, size: Int, seed: UInt64, note: (Written) -> Void = { _ in })
  -> [UInt8]
{
  var text = TextBuilder()
  text.bytes.reserveCapacity(size + 4_096)
  var walk = Walk(seed: seed)
  var count = 0
  while text.bytes.count < size {
    walk.step()
    count += 1
    note(text.append(epoch: walk, style, number: count))
  }
  return text.bytes
}

extension TextBuilder {
  fileprivate mutating func append(epoch walk: Walk, _ style: NMEAStyle, number: Int) -> Written {
    // 1e-5 minute is 5/3 of 1e-7 degree.
    let latitude = roundedToMinutes(walk.latitudeE7)
    let longitude = roundedToMinutes(walk.longitudeE7)
    let (year, month, day) = Self.date(ofSeconds: walk.seconds)
    sentence { text in
      text.append("GPRMC,")
      text.append(clock: walk)
      text.append(",A,")
      text.append(latitude, longitude)
      text.append(walk.satellites * 3, places: 1)
      text.append(",084.4,")
      text.append(day, width: 2)
      text.append(month, width: 2)
      text.append(year % 100, width: 2)
      text.append(",,,A")
    }
    if style == .chatty {
      sentence { $0.append("GPVTG,084.4,T,,M,022.4,N,041.5,K,A") }
    }
    sentence { text in
      text.append("GPGGA,")
      text.append(clock: walk)
      text.append(",")
      text.append(latitude, longitude)
      text.append("1,")
      text.append(walk.satellites, width: 2)
      text.append(",")
      text.append(walk.hdopTenths, places: 1)
      text.append(",")
      text.append(walk.elevationDecimeters, places: 1)
      text.append(",M,46.9,M,,")
    }
    if style == .chatty {
      sentence { text in
        text.append("GPGSA,A,3,04,05,09,12,24,25,29,31,,,,,2.5,")
        text.append(walk.hdopTenths, places: 1)
        text.append(",2.1")
      }
      if number % 4 == 0 {
        sentence { $0.append("GPGSV,2,1,08,04,40,083,46,05,17,308,41,09,07,344,39,12,22,228,45") }
        sentence { $0.append("GPGSV,2,2,08,24,40,083,46,25,17,308,41,29,07,344,39,31,22,228,45") }
        sentence { text in
          text.append("GPGST,")
          text.append(clock: walk)
          text.append(",1.2,1.5,1.0,45.0,1.1,1.2,2.0")
        }
      }
    }
    return Written(
      latitudeE7: inE7(latitude), longitudeE7: inE7(longitude),
      timeMilliseconds: Int64(walk.seconds) * 1_000,
      hdopTenths: style == .plain ? walk.hdopTenths : nil)
  }

  private func roundedToMinutes(_ valueE7: Int) -> Int { valueE7 * 3 / 5 }

  /// To the nearest; there are no ties in thirds.
  private func inE7(_ minutes: Int) -> Int32 {
    Int32((abs(minutes) * 10 + 3) / 6 * minutes.signum())
  }

  private mutating func append(clock walk: Walk) {
    append(walk.seconds / 3_600 % 24, width: 2)
    append(walk.seconds / 60 % 60, width: 2)
    append(walk.seconds % 60, width: 2)
    append(".00")
  }

  /// `4807.03800,N,01131.00000,E,` from units of 1e-5 minute.
  private mutating func append(_ latitude: Int, _ longitude: Int) {
    append(abs(latitude) / 6_000_000, width: 2)
    append(abs(latitude) % 6_000_000 / 100_000, width: 2)
    append(".")
    append(abs(latitude) % 100_000, width: 5)
    append(latitude < 0 ? ",S," : ",N,")
    append(abs(longitude) / 6_000_000, width: 3)
    append(abs(longitude) % 6_000_000 / 100_000, width: 2)
    append(".")
    append(abs(longitude) % 100_000, width: 5)
    append(longitude < 0 ? ",W," : ",E,")
  }

  private mutating func sentence(_ body: (inout TextBuilder) -> Void) {
    append("$")
    let start = bytes.count
    body(&self)
    let sum = bytes[start...].reduce(0, ^)
    append("*")
    let digits = Array("0123456789ABCDEF".utf8)
    bytes.append(digits[Int(sum >> 4)])
    bytes.append(digits[Int(sum & 15)])
    append("\r\n")
  }
}
