/// Positions in links: `geo:` URIs (RFC 5870) and the addresses of map sites.
enum MapLink {
  /// `geo:48.8,2.3`, with a height and parameters where there are any, and `geo:0,0?q=48.8,2.3`.
  static func coordinate(geoURI text: String) throws(CoordinateTextError) -> Coordinate {
    let body = text.dropFirst("geo:".count)
    let query = body.split(separator: "?", maxSplits: 1)
    let parameters = (query.first ?? "").split(separator: ";")
    for parameter in parameters.dropFirst() {
      let pair = parameter.split(separator: "=", maxSplits: 1)
      if pair.count == 2, pair[0].lowercased() == "crs", pair[1].lowercased() != "wgs84" {
        throw .referenceSystem(String(pair[1]))
      }
    }
    let place = query.count == 2 ? value(of: "q", in: decoded(String(query[1]))[...]) : nil
    if let place, let degrees = pair(place) {
      return try CoordinateText.checked(degrees.0, degrees.1, text: text)
    }
    let numbers = (parameters.first ?? "").split(separator: ",", omittingEmptySubsequences: false)
    guard numbers.count == 2 || numbers.count == 3,
      numbers.count == 2 || decimal(numbers[2]) != nil,
      let degrees = pair(numbers.prefix(2).joined(separator: ","))
    else { throw .unreadable(text) }
    // `geo:0,0?q=Eiffel+Tower` leaves the position to a search.
    if place != nil, degrees.0 == 0, degrees.1 == 0 { throw .unreadable(text) }
    return try CoordinateText.checked(degrees.0, degrees.1, text: text)
  }

  /// A link of a map site: its marker where there is one, else the middle of the map.
  static func coordinate(link text: String) throws(CoordinateTextError) -> Coordinate {
    guard let degrees = degrees(inLink: decoded(text)) else { throw .unreadable(text) }
    return try CoordinateText.checked(degrees.0, degrees.1, text: text)
  }

  private static func degrees(inLink link: String) -> (Double, Double)? {
    if isOfYandex(link) { return degrees(inYandexLink: link) }
    // Google: the place of a page.
    if let latitude = number(after: "!3d", in: link), let longitude = number(after: "!4d", in: link)
    {
      return (latitude, longitude)
    }
    let parts = link.split(separator: "#", maxSplits: 1)
    let query = (parts.first ?? "").split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    for (latitude, longitude) in [("mlat", "mlon"), ("lat", "lon"), ("lat", "lng")] {
      if let first = value(of: latitude, in: query).flatMap({ decimal($0) }),
        let second = value(of: longitude, in: query).flatMap({ decimal($0) })
      {
        return (first, second)
      }
    }
    for name in ["q", "query", "ll", "coordinate", "destination", "daddr", "center"] {
      if let found = value(of: name, in: query).flatMap({ pair($0) }) { return found }
    }
    // OpenStreetMap: `#map=15/48.8584/2.2945`.
    if parts.count == 2, let map = value(of: "map", in: parts[1]) {
      let numbers = map.split(separator: "/")
      if numbers.count >= 3, let first = decimal(numbers[1]), let second = decimal(numbers[2]) {
        return (first, second)
      }
    }
    // Google: `/@48.8584,2.2945,17z`.
    guard let at = link.firstRange(of: "/@") else { return nil }
    let numbers = link[at.upperBound...].split(separator: ",").prefix(2)
    return numbers.count == 2 ? pair(numbers.joined(separator: ",")) : nil
  }

  private static func isOfYandex(_ link: String) -> Bool {
    guard let start = link.firstRange(of: "//") else { return false }
    return link[start.upperBound...].prefix { $0 != "/" }.split(separator: ".").contains("yandex")
  }

  /// Yandex writes the longitude first: its first marker, what a person has asked about, or the
  /// middle of the map.
  private static func degrees(inYandexLink link: String) -> (Double, Double)? {
    let query = link.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    for name in ["pt", "whatshere[point]", "ll"] {
      guard let text = value(of: name, in: query) else { continue }
      let numbers = text.prefix { $0 != "~" }.split(separator: ",").prefix(2)
      guard numbers.count == 2, let found = pair(numbers.reversed().joined(separator: ",")) else {
        return nil
      }
      return found
    }
    return nil
  }

  /// The value of a parameter of a query, empty if only its name is there.
  private static func value(of name: String, in query: Substring) -> String? {
    for parameter in query.split(separator: "&") {
      let pair = parameter.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if pair[0] == name { return pair.count == 2 ? String(pair[1]) : "" }
    }
    return nil
  }

  /// `48.8,2.3`, perhaps with a name in parentheses, or `loc:` before it.
  private static func pair(_ text: String) -> (Double, Double)? {
    let plain = text.split(separator: "(").first ?? ""
    let value = plain.hasPrefix("loc:") ? plain.dropFirst(4) : plain
    return PlainPosition.degrees(in: Array(value.utf8)[...])
  }

  private static func decimal(_ text: some StringProtocol) -> Double? {
    DecimalNumber.value(of: String(text))
  }

  private static func number(after mark: String, in text: String) -> Double? {
    guard let start = text.firstRange(of: mark) else { return nil }
    return decimal(text[start.upperBound...].prefix { $0.isNumber || $0 == "." || $0 == "-" })
  }

  /// The text with its encoded characters as they are, except those that separate parts of a link.
  private static func decoded(_ text: String) -> String {
    var decoded: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "+") {
        decoded.append(UInt8(ascii: " "))
      } else if byte == UInt8(ascii: "%"), let code = encodedByte(rest.prefix(2)) {
        decoded.append(code)
        rest = rest.dropFirst(2)
      } else {
        decoded.append(byte)
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// The byte of two hexadecimal digits; nil for `#`, `%`, `&`, `=`, `?` and anything else.
  private static func encodedByte(_ digits: ArraySlice<UInt8>) -> UInt8? {
    let text = String(decoding: digits, as: UTF8.self)
    guard digits.count == 2, text.allSatisfy(\.isHexDigit), let byte = UInt8(text, radix: 16),
      !"#%&=?".utf8.contains(byte)
    else { return nil }
    return byte
  }
}
