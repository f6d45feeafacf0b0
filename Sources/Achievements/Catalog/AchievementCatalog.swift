/// The achievements that there are, with their texts.
///
/// ```swift
/// let catalog = AchievementCatalog.bundled
/// for achievement in catalog.achievements {
///   print(achievement.icon, catalog.title(of: achievement.id, in: "tr"))
/// }
/// ```
public struct AchievementCatalog: Hashable, Sendable {
  /// The achievements, in the order of the file, and those that were added.
  public private(set) var achievements: [Achievement]
  private var texts: [String: AchievementTexts]

  /// The catalog that is linked into the program: `data/achievements`.
  ///
  /// The tests check its files. If the program was linked with damaged ones, the catalog is empty.
  public static let bundled: AchievementCatalog =
    (try? AchievementCatalog(
      table: LinkedFile.text(tableName),
      texts: LinkedFile.all.filter { $0.name.hasSuffix(textSuffix) }))
    ?? AchievementCatalog()

  static let tableName = "achievements.csv"
  static let textSuffix = ".txt"

  /// Creates a catalog without achievements.
  public init() { (achievements, texts) = ([], [:]) }

  /// Reads a catalog.
  ///
  /// - Parameters:
  ///   - table: the text of `achievements.csv`.
  ///   - texts: the names and texts of the files of the languages, such as `en.txt`.
  /// - Throws: ``CatalogError``, with the file, the line and the reason, also if a language lacks a
  ///   text or has one that nothing uses.
  init(table: String, texts files: [(name: String, text: String)]) throws(CatalogError) {
    self.init()
    let table = DataLines(table, file: Self.tableName)
    let columns = ["id", "category", "icon", "metric", "argument", "tiers"]
    for (line, fields) in try table.rows(columns: columns) {
      guard let kind = AchievementMetric.Kind(rawValue: fields[3]) else {
        throw table.error(line, "there is no metric \"\(fields[3])\"")
      }
      var tiers: [Double] = []
      for text in fields[5].split(separator: " ") {
        guard let tier = Double(text) else {
          throw table.error(line, "a tier is not a number: \"\(text)\"")
        }
        tiers.append(tier)
      }
      let achievement = Achievement(
        id: fields[0], category: fields[1], icon: fields[2],
        metric: AchievementMetric(kind, argument: fields[4].isEmpty ? nil : fields[4]),
        tiers: tiers)
      if let problem = problem(of: achievement) { throw table.error(line, problem) }
      achievements.append(achievement)
    }
    for (name, text) in files {
      let language = String(name.dropLast(Self.textSuffix.count))
      let read = try AchievementTexts(text, file: name)
      let missing = neededKeys.filter { read[$0] == nil }.min()
      if let missing { throw CatalogError(file: name, line: nil, reason: "\(missing) is missing") }
      let words = Set(AchievementWord.allCases.map(\.key))
      let unused = read.keys.filter { !neededKeys.contains($0) && !words.contains($0) }.min()
      if let unused {
        throw CatalogError(file: name, line: nil, reason: "nothing uses \(unused)")
      }
      texts[language] = read
    }
  }

  /// The keys of the texts that a language needs.
  private var neededKeys: Set<String> {
    var keys: Set<String> = []
    for achievement in achievements {
      keys.insert("category.\(achievement.category)")
      keys.insert("\(achievement.id).title")
      keys.insert("\(achievement.id).description")
    }
    return keys
  }

  private func problem(of achievement: Achievement) -> String? {
    if achievements.contains(where: { $0.id == achievement.id }) {
      return "there are two achievements \"\(achievement.id)\""
    }
    return achievement.problem
  }

  /// Adds an achievement of an app.
  ///
  /// - Parameters:
  ///   - achievement: its id and its category, of lower-case letters, digits and hyphens; its icon,
  ///     which is not empty; its metric; and its tiers, at least one, above 0, finite and
  ///     ascending. Tiers of a metric of heights are multiples of 50 m.
  ///   - title: its title by language, such as `["en": "Photographer"]`.
  ///   - description: what to do for it, by language.
  ///   - categoryTitle: the title of its category by language. It replaces the one that the
  ///     category has in that language.
  /// - Throws: ``CatalogError`` if the id is taken, a value of the achievement is out of its range,
  ///   or the argument of the metric does not fit. Nothing is added then.
  public mutating func add(
    _ achievement: Achievement, title: [String: String], description: [String: String],
    categoryTitle: [String: String] = [:]
  ) throws(CatalogError) {
    if let problem = problem(of: achievement) {
      throw CatalogError(file: nil, line: nil, reason: problem)
    }
    achievements.append(achievement)
    for (key, values) in [
      ("\(achievement.id).title", title), ("\(achievement.id).description", description),
      ("category.\(achievement.category)", categoryTitle),
    ] {
      for (language, text) in values {
        texts[language, default: AchievementTexts()][key] = text
      }
    }
  }

  /// The ids of the categories, in the order of the achievements.
  public var categories: [String] {
    var seen: Set<String> = []
    return achievements.map(\.category).filter { seen.insert($0).inserted }
  }

  /// The tags of the languages, such as `en`, in alphabetical order.
  public var languages: [String] { texts.keys.sorted() }

  /// The achievement with this id; nil if there is none.
  public subscript(id: String) -> Achievement? { achievements.first { $0.id == id } }

  /// The title of an achievement, in a language, such as `tr` or `tr-TR`; in English if it has no
  /// text in the language, and the id if it has none in English.
  public func title(of id: String, in language: String) -> String {
    text("\(id).title", in: language) ?? id
  }

  /// What to do for an achievement, in a language; empty if it has no text.
  public func description(of id: String, in language: String) -> String {
    text("\(id).description", in: language) ?? ""
  }

  /// The title of a category, in a language; the id if it has none.
  public func title(ofCategory category: String, in language: String) -> String {
    text("category.\(category)", in: language) ?? category
  }

  /// A word or sentence around the achievements, in a language; in English if the language lacks
  /// it.
  package func word(_ word: AchievementWord, in language: String) -> String {
    text(word.key, in: language) ?? word.english
  }

  private func text(_ key: String, in language: String) -> String? {
    let base = String(language.prefix { $0 != "-" && $0 != "_" }).lowercased()
    return texts[language]?[key] ?? texts[base]?[key] ?? texts["en"]?[key]
  }
}

/// The words and sentences that stand around the texts of achievements. A language may have them
/// under keys such as `word.new`.
package enum AchievementWord: String, CaseIterable, Sendable {
  /// Between a value and the next tier: 3 of 5.
  case of
  /// Said of an achievement whose last tier is reached.
  case allReached
  /// Said of a tier that was reached since the last look.
  case new
  /// After the number of all tiers.
  case tiers
  /// Said if the last change of the store changed no achievement that was asked for.
  case noneChanged
  /// Said if none that was asked for is on the way to another tier.
  case noneNearest

  /// The key of the word in the files of texts.
  var key: String { "word.\(rawValue)" }

  /// The English word.
  var english: String {
    switch self {
    case .of: "of"
    case .allReached: "all reached"
    case .new: "new"
    case .tiers: "tiers"
    case .noneChanged: "The last change of the store changed no achievement."
    case .noneNearest: "No achievement has progress toward a next tier."
    }
  }
}
