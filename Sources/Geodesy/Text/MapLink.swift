/// Positions in links: `geo:` URIs (RFC 5870) and the addresses of map sites.
enum MapLink {
  /// `geo:48.8,2.3`, with a height and parameters where there are any, and `geo:0,0?q=48.8,2.3`.
  static func coordinate(geoURI text: String) throws(CoordinateTextError) -> Coordinate {
    let body = text.dropFirst("geo:".count)
    let query = body.split(separator: "?", maxSplits: 1)
    let parameters = (query.first ?? "").split(separator: ";")
    for parameter in parameters.dropFirst() {
      let pair = parameter.split(separator: "=", maxSplits: 1)
      if pair.first?.lowercased() == "crs", pair.last?.lowercased() != "wgs84" {
        throw .referenceSystem(String(pair.last ?? ""))
      }
    }
    if query.count == 2, let found = value(of: "q", in: query[1]), let degrees = pair(found) {
      return try CoordinateText.checked(degrees.0, degrees.1, text: text)
    }
    let numbers = (parameters.first ?? "").split(separator: ",", omittingEmptySubsequences: false)
    guard numbers.count == 2 || numbers.count == 3,
      let degrees = pair(numbers.prefix(2).joined(separator: ","))
    else { throw .unreadable(text) }
    return try CoordinateText.checked(degrees.0, degrees.1, text: text)
  }

  /// A link of a map site: its marker where there is one, else the middle of the map.
  static func coordinate(link text: String) throws(CoordinateTextError) -> Coordinate {
    guard let degrees = degrees(inLink: decoded(text)) else { throw .unreadable(text) }
    return try CoordinateText.checked(degrees.0, degrees.1, text: text)
  }

  private static func degrees(inLink link: String) -> (Double, Double)? {
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

  /// The value of a parameter of a query.
  private static func value(of name: String, in query: Substring) -> String? {
    for parameter in query.split(separator: "&") {
      let pair = parameter.split(separator: "=", maxSplits: 1)
      if pair.count == 2, pair[0] == name { return String(pair[1]) }
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

  /// The link with its encoded commas and blanks as they are.
  private static func decoded(_ text: String) -> String {
    var decoded = ""
    var rest = text[...]
    let codes = ["%2C": ",", "%2c": ",", "%20": " ", "+": " ", "%2F": "/", "%40": "@"]
    while let first = rest.first {
      if let code = codes.first(where: { rest.hasPrefix($0.key) }) {
        decoded += code.value
        rest = rest.dropFirst(code.key.count)
      } else {
        decoded.append(first)
        rest = rest.dropFirst()
      }
    }
    return decoded
  }
}
