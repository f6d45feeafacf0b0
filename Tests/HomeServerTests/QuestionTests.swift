import PhoneProtocols
import Testing

@testable import HomeServer

@Suite struct QuestionTests {
  private func arguments(_ name: String, _ query: String = "") throws -> [String] {
    try Question(name, FormFields(Array(query.utf8))).arguments
  }

  @Test func `a question is a command with its options`() throws {
    #expect(try arguments("stats") == ["stats", "--json"])
    #expect(
      try arguments("stats", "by=year&by=country&top=3&token=x")
        == ["stats", "--json", "--by=year", "--by=country", "--top=3"])
    #expect(
      try arguments("near", "lon=-18.4&lat=-33.9&radius=2km")
        == ["near", "--json", "--radius=2km", "--", "-33.9", "-18.4"])
    #expect(try arguments("places", "all&by=city") == ["places", "--json", "--all", "--by=city"])
    #expect(try arguments("sources", "overlaps=0") == ["sources", "--json"])
    #expect(
      try arguments("achievements", "nearest=5&changed=0&language=tr")
        == ["achievements", "--json", "--nearest=5", "--language=tr"])
    #expect(
      try arguments("within", "east=-179.8&north=-16&west=179.9&south=-17&limit=5")
        == ["within", "--json", "--limit=5", "--", "-17", "179.9", "-16", "-179.8"])
    #expect(
      try arguments("within", "country=FR&count")
        == ["within", "--json", "--country=FR", "--count"])
  }

  @Test func `a value is never an option`() throws {
    #expect(try arguments("at", "time=--store=x") == ["at", "--json", "--", "--store=x"])
    #expect(try arguments("stats", "top=--help") == ["stats", "--json", "--top=--help"])
  }

  @Test(arguments: ["export", "import", "sql", "forget", "map", "serve", "zone", "", "../stats"])
  func `what reads or changes files is not a question`(name: String) {
    #expect(throws: Question.Failure.unknown) { try arguments(name) }
  }

  @Test(arguments: [
    ("coverage", "export=x"), ("coverage", "import=x"), ("stats", "store=x"),
    ("stats", "top=1&top=2"),
    ("near", "lat=1"), ("where", ""), ("within", "south=1&west=2&north=3"),
    ("within", "polygon=x"), ("within", "south=1&south=1&west=2&north=3&east=4"),
    ("stats", "country=%00"), ("sources", "--store"),
    ("stats", "country=" + String(repeating: "a", count: 201)),
  ]) func `other parameters are refused`(name: String, query: String) {
    #expect(throws: Question.Failure.self) { try arguments(name, query) }
  }
}
