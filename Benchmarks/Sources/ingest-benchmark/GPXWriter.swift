/// GPX styles of common programs.
enum GPXStyle: String, CaseIterable {
  /// One line per point, seven decimals.
  case logger
  /// One line per element, spare digits, heart rate in extensions.
  case watch
  /// One line per element, seven decimals.
  case site
}

/// Writes GPX of at least `size` bytes, and records each point.
func makeGPX(_ style: GPXStyle, size: Int, seed: UInt64, note: (Written) -> Void = { _ in })
  -> [UInt8]
{
  var text = TextBuilder()
  text.bytes.reserveCapacity(size + 4_096)
  var walk = Walk(seed: seed)
  text.append(
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="benchmark" xmlns="http://www.topografix.com/GPX/1/1" \
    xmlns:x="http://www.garmin.com/xmlschemas/TrackPointExtension/v1">
    <trk><name>generated</name><trkseg>

    """)
  var count = 0
  while text.bytes.count < size {
    walk.step()
    count += 1
    if count % 5_000 == 0 { text.append("</trkseg><trkseg>\n") }
    note(text.append(point: &walk, style))
  }
  text.append("</trkseg></trk>\n</gpx>\n")
  return text.bytes
}

extension TextBuilder {
  fileprivate mutating func append(point walk: inout Walk, _ style: GPXStyle) -> Written {
    switch style {
    case .logger:
      append("<trkpt lat=\"")
      append(walk.latitudeE7, places: 7)
      append("\" lon=\"")
      append(walk.longitudeE7, places: 7)
      append("\"><ele>")
      append(walk.elevationDecimeters, places: 1)
      append("</ele><time>")
      append(timeOfSeconds: walk.seconds)
      append("Z</time><sat>")
      append(walk.satellites)
      append("</sat><hdop>")
      append(walk.hdopTenths, places: 1)
      append("</hdop></trkpt>\n")
      return written(walk, walk.latitudeE7, walk.longitudeE7, hdopTenths: walk.hdopTenths)
    case .site:
      append("   <trkpt lat=\"")
      append(walk.latitudeE7, places: 7)
      append("\" lon=\"")
      append(walk.longitudeE7, places: 7)
      append("\">\n    <ele>")
      append(walk.elevationDecimeters, places: 1)
      append("</ele>\n    <time>")
      append(timeOfSeconds: walk.seconds)
      append("Z</time>\n    <hdop>")
      append(walk.hdopTenths, places: 1)
      append("</hdop>\n   </trkpt>\n")
      return written(walk, walk.latitudeE7, walk.longitudeE7, hdopTenths: walk.hdopTenths)
    case .watch:
      append("      <trkpt lat=\"")
      let latitude = append(longAxis: walk.latitudeE7, &walk)
      append("\" lon=\"")
      let longitude = append(longAxis: walk.longitudeE7, &walk)
      append("\">\n        <ele>")
      append(walk.elevationDecimeters, places: 1)
      walk.digits(15, into: &self)
      append("</ele>\n        <time>")
      append(timeOfSeconds: walk.seconds)
      append(
        """
        .000Z</time>
                <extensions>
                  <x:TrackPointExtension>
                    <x:hr>
        """)
      append(90 + walk.satellites * 5)
      append("</x:hr>\n            <x:cad>")
      append(70 + walk.hdopTenths)
      append(
        "</x:cad>\n          </x:TrackPointExtension>\n        </extensions>\n      </trkpt>\n")
      return written(walk, latitude, longitude, hdopTenths: nil)
    }
  }

  /// Twenty decimals; returns the value rounded to seven.
  private mutating func append(longAxis valueE7: Int, _ walk: inout Walk) -> Int {
    append(valueE7, places: 7)
    let eighth = walk.digit()
    append(digit: eighth)
    walk.digits(12, into: &self)
    return eighth >= 5 ? valueE7 + (valueE7 < 0 ? -1 : 1) : valueE7
  }

  private func written(
    _ walk: Walk, _ latitude: Int, _ longitude: Int, hdopTenths: Int?
  ) -> Written {
    Written(
      latitudeE7: Int32(latitude), longitudeE7: Int32(longitude),
      timeMilliseconds: Int64(walk.seconds) * 1_000, hdopTenths: hdopTenths)
  }
}
