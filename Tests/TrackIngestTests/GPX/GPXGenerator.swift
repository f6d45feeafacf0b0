import TestSupport

/// Generates well-formed GPX that uses XML in all allowed ways.
struct GPXGenerator {
  private var random: SplitMix64
  private var prefix = ""

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  mutating func document() -> String {
    prefix = pick(["", "", "g:"])
    let declaration = prefix.isEmpty ? "xmlns" : "xmlns:g"
    let version = pick(["0", "1"])
    var text = pick([
      "", "<?xml version=\"1.0\"?>", "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n",
    ])
    text += filler()
    text +=
      "<\(prefix)gpx version=\"1.\(version)\" "
      + "\(declaration)=\"http://www.topografix.com/GPX/1/\(version)\""
    text += " xmlns:f='urn:foreign'>" + filler()
    for _ in 0..<number(0...2) { text += waypoint("wpt") }
    for _ in 0..<number(0...1) {
      text += element("rte", inside: repeating(0...3) { $0.waypoint("rtept") })
    }
    for _ in 0..<number(0...3) {
      text += element(
        "trk",
        inside: repeating(0...3) {
          $0.element("trkseg", inside: $0.repeating(0...6) { $0.point() })
        })
    }
    return text + element("extensions", inside: foreign()) + "</\(prefix)gpx>"
      + pick(["", "\n", "<!-- end -->\n"])
  }

  private mutating func point() -> String {
    var children = ""
    if flip() {
      children +=
        filler() + element("ele", inside: pick(["", " "]) + decimal(8000) + pick(["", "\n"]))
    }
    if flip() { children += filler() + element("time", inside: time()) }
    if flip() { children += filler() + element("name", inside: name()) }
    if flip() {
      children += filler() + element("hdop", inside: "\(number(1...99)).\(number(0...9))")
    }
    if flip() {
      let accuracy = flip() ? element("accuracy", inside: "\(number(1...99)).5") : foreign()
      children += element("extensions", inside: filler() + accuracy + foreign())
    }
    let axes = ["lat=" + quoted(axis(91)), "lon=" + quoted(axis(181))].shuffled(using: &random)
    let others = pick(["", " f:id='1'", "\n x=\"a &amp; b > c\""])
    let start = "<\(prefix)trkpt \(axes[0])\(others)\(space())\(axes[1])\(pick(["", " ", "\n"]))"
    if children.isEmpty, flip() { return start + "/>" + filler() }
    return start + ">" + children + filler() + "</\(prefix)trkpt\(pick(["", " ", "\n"]))>"
      + filler()
  }

  private mutating func waypoint(_ tag: String) -> String {
    "<\(prefix)\(tag) lat=\(quoted("\(number(-90...90))")) lon='\(number(-180...180))'>"
      + element("time", inside: "2024-05-01T10:00:00Z") + "</\(prefix)\(tag)>" + filler()
  }

  /// Elements that look like parts of a track but are not.
  private mutating func foreign() -> String {
    pick([
      "<f:trk><f:trkseg><f:trkpt lat='1' lon='2'/></f:trkseg></f:trk>",
      "<trkpt xmlns='urn:other' lat=\"1\" lon='2'><time>2024-05-01T10:00:00Z</time></trkpt>",
      "<f:x f:y='1'>5</f:x>",
      "<f:a><f:b><f:c/></f:b></f:a>", "", "\n  ",
    ])
  }

  private mutating func element(_ name: String, inside: String) -> String {
    "<\(prefix)\(name)>\(inside)</\(prefix)\(name)>"
  }

  /// Content between elements without a meaning.
  private mutating func filler() -> String {
    pick([
      "", "", "\n", "  \r\n", "\t", "<!-- <trkpt lat='1' lon='1'> - -->",
      "<?p <trkpt lat='1' lon='1'>?>",
    ])
  }

  private mutating func name() -> String {
    pick([
      "caf\u{e9}", "a &lt; b &amp; c", "<![CDATA[<trkpt lat='1'/> ] ]] ]>]]>", "&#233;\u{1F600}",
      "plain",
      "]] >",
    ])
  }

  private mutating func time() -> String {
    let digits = { (value: Int) in value < 10 ? "0\(value)" : "\(value)" }
    var text = "20\(digits(number(10...24)))-\(digits(number(1...12)))-\(digits(number(1...28)))"
    text += "T\(digits(number(0...23))):\(digits(number(0...59))):\(digits(number(0...59)))"
    text += pick(["Z", "Z", "+02:00", "-09:30", ".250Z"])
    switch number(0...9) {
    case 0: return "<![CDATA[" + text + "]]>"
    case 1: return "\n  " + text + " "
    case 2: return text.replacing("-", with: "&#45;")
    default: return text
    }
  }

  private mutating func axis(_ limit: Int) -> String {
    let value = decimal(limit)
    return number(0...9) == 0 ? value.replacing("1", with: "&#x31;") : value
  }

  private mutating func decimal(_ limit: Int) -> String {
    var text = "\(number(-limit...limit))"
    if flip() { text += "." + (0..<number(1...20)).map { _ in "\(number(0...9))" }.joined() }
    return text
  }

  private mutating func quoted(_ text: String) -> String { flip() ? "\"\(text)\"" : "'\(text)'" }
  private mutating func space() -> String { pick([" ", "\n", "\t  "]) }
  private mutating func flip() -> Bool { Bool.random(using: &random) }
  private mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &random)
  }
  private mutating func pick(_ choices: [String]) -> String {
    choices.randomElement(using: &random) ?? ""
  }
  private mutating func repeating(_ range: ClosedRange<Int>, _ make: (inout Self) -> String)
    -> String
  {
    let count = number(range)
    var text = ""
    for _ in 0..<count { text += make(&self) }
    return text
  }
}
