import Testing

@testable import Achievements

@Suite struct CatalogTests {
  static let header = "id,category,icon,metric,argument,tiers\n"

  private func error(table: String, texts: [(name: String, text: String)] = []) -> String? {
    do throws(CatalogError) {
      _ = try AchievementCatalog(table: table, texts: texts)
      return nil
    } catch {
      return error.description
    }
  }

  @Test func `the linked catalog is whole in every language`() throws {
    let texts = LinkedFile.all.filter { $0.name.hasSuffix(".txt") }
    let catalog = try AchievementCatalog(
      table: LinkedFile.text("achievements.csv"), texts: texts)
    #expect(catalog == AchievementCatalog.bundled)
    #expect(catalog.languages == ["en", "tr"])
    #expect(catalog.achievements.count >= 40)
    #expect(catalog.achievements.allSatisfy { $0.metric.kind != .custom })
    // Terminals disagree about the width of an emoji with a variation selector.
    #expect(catalog.achievements.allSatisfy { $0.icon.unicodeScalars.count == 1 })
    #expect(Set(catalog.achievements.map(\.icon)).count == catalog.achievements.count)
    for language in catalog.languages {
      let titles = catalog.achievements.map { catalog.title(of: $0.id, in: language) }
      #expect(Set(titles).count == titles.count, "two achievements have one title in \(language)")
    }
    #expect(GroundAtlas.bundled.islandNames.count > 80)
    #expect(GroundAtlas.bundled.divisions.count > 30)
  }

  @Test(arguments: [
    ("a,places,x,countries,,5 3", "achievements.csv:2: the tiers do not ascend"),
    ("a,places,x,countries,,", "achievements.csv:2: the tiers are missing"),
    ("a,places,x,countries,,0 1", "achievements.csv:2: a tier must be above 0"),
    ("a,places,x,countries,,1 b", "achievements.csv:2: a tier is not a number: \"b\""),
    ("a,places,x,countries,,1 inf", "achievements.csv:2: a tier must be above 0"),
    ("a,places,x,planets,,1", "achievements.csv:2: there is no metric \"planets\""),
    (
      "A,places,x,countries,,1",
      "achievements.csv:2: \"A\" is not an id of lower-case letters, digits and hyphens"
    ),
    (
      "a,,x,countries,,1",
      "achievements.csv:2: \"\" is not a category of lower-case letters, digits and hyphens"
    ),
    ("a,places,,countries,,1", "achievements.csv:2: the icon is missing"),
    (
      "a,places,x,countries,XX,1",
      "achievements.csv:2: the argument of countries is not a continent such as EU: \"XX\""
    ),
    ("a,places,x,cities,TR,1", "achievements.csv:2: the metric cities takes no argument"),
    ("a,places,x,days_on,,1", "achievements.csv:2: the metric days_on needs a day such as 12-31"),
    (
      "a,places,x,days_on,13-01,1",
      "achievements.csv:2: the argument of days_on is not a day such as 12-31: \"13-01\""
    ),
    (
      "a,places,x,highest_m,,120",
      "achievements.csv:2: a tier of highest_m is not a multiple of 50 m"
    ),
    ("a,places,x,countries,1", "achievements.csv:2: 5 columns instead of 6"),
    ("a,p,x,days,,1\na,p,x,days,,1", "achievements.csv:3: there are two achievements \"a\""),
  ])
  func `a wrong line is named with its file and reason`(line: String, message: String) {
    #expect(error(table: Self.header + line) == message)
  }

  @Test func `comments and empty lines count as lines`() {
    #expect(
      error(table: "# one\n\n" + Self.header + "\n# two\na,p,x,days,,")
        == "achievements.csv:6: the tiers are missing")
  }

  @Test func `a wrong header is named`() {
    #expect(
      error(table: "id,name\n")
        == "achievements.csv:1: the header is not id,category,icon,metric,argument,tiers")
    #expect(
      error(table: "")
        == "achievements.csv: the header is not id,category,icon,metric,argument,tiers")
  }

  @Test func `a language must have every text, each once, and no other`() {
    let table = Self.header + "a,p,x,days,,1"
    let whole = "category.p: P\na.title: A\na.description: D: d"
    func message(_ text: String) -> String? { error(table: table, texts: [("xx.txt", text)]) }
    #expect(message(whole) == nil)
    #expect(message("category.p: P\na.title: A") == "xx.txt: a.description is missing")
    #expect(message(whole + "\nb.title: B") == "xx.txt: nothing uses b.title")
    #expect(message(whole + "\na.title: B") == "xx.txt:4: \"a.title\" comes twice")
    #expect(message(whole + "\nb.title") == "xx.txt:4: the line has no colon after its key")
    #expect(message("a.title:") == "xx.txt:1: the text is missing")
  }

  @Test func `an app adds achievements over its own and existing metrics`() throws {
    var catalog = AchievementCatalog.bundled
    let own = Achievement(
      id: "photographer", category: "photos", icon: "📷",
      metric: AchievementMetric(.custom, argument: "photos"), tiers: [10, 100])
    try catalog.add(
      own, title: ["en": "Photographer", "tr": "Fotoğrafçı"], description: ["en": "Take photos."],
      categoryTitle: ["en": "Photos"])
    #expect(catalog["photographer"] == own)
    #expect(catalog.title(of: "photographer", in: "tr-TR") == "Fotoğrafçı")
    #expect(catalog.description(of: "photographer", in: "tr") == "Take photos.")
    #expect(catalog.title(ofCategory: "photos", in: "de") == "Photos")
    #expect(catalog.categories.last == "photos")
    #expect(throws: CatalogError.self) { try catalog.add(own, title: [:], description: [:]) }
    #expect(throws: CatalogError.self) {
      try catalog.add(
        Achievement(
          id: "b", category: "photos", icon: "x", metric: AchievementMetric(.custom), tiers: [1]),
        title: [:], description: [:])
    }
  }

  @Test func `wrong lines of continents and islands are named`() {
    func message(_ continents: String, _ islands: String) -> String? {
      do throws(CatalogError) {
        _ = try GroundAtlas(
          continents: "code,continent,east,line\n" + continents, islands: "name,codes\n" + islands)
        return nil
      } catch {
        return error.description
      }
    }
    #expect(message("TR-22,EU,,", "Bali,ID-BA") == nil)
    #expect(message("TR-22,XX,,", "") == "continents.csv:2: there is no continent \"XX\"")
    #expect(
      message("TR-34,EU,AS,", "")
        == "continents.csv:2: a region on two continents needs both and a line")
    #expect(
      message("TR-34,EU,AS,41 29;40 29", "")
        == "continents.csv:2: \"40 29\" is no position north of the one before")
    #expect(message("TR-22,EU,,\nTR-22,EU,,", "") == "continents.csv:3: TR-22 comes twice")
    #expect(message("", "Bali,") == "islands.csv:2: the codes are missing")
    #expect(message("", "Bali,ID-BA\nJava,ID-BA") == "islands.csv:3: ID-BA comes twice")
  }
}
