import CMapPage

/// A color theme of maps, in a light and a dark scheme.
///
/// The themes are the lines of `data/themes/themes.csv`. A theme has one number in all versions of
/// the file, because a store keeps it as a setting.
package struct ColorTheme: Hashable, Sendable {
  /// The number that a store keeps, 0 or more.
  package let number: Int
  /// The name in settings and JSON: one word in lower case.
  package let name: String
  /// The name for people.
  package let title: String
  /// The colors of the light scheme.
  package let light: [ThemeToken: MapColor]
  /// The colors of the dark scheme.
  package let dark: [ThemeToken: MapColor]

  /// All themes, in the order of the file. The first one is the default.
  package static let all: [ColorTheme] = themes(in: MapPageFile.themes.text) ?? []

  /// The theme with a name or a number; nil if there is none.
  package static func named(_ name: String) -> ColorTheme? { all.first { $0.name == name } }
  package static func numbered(_ number: Int) -> ColorTheme? { all.first { $0.number == number } }

  /// Reads themes: a line of column names, then two lines for each theme, light and dark. Lines
  /// that begin with `#` followed by a blank are comments. Nil if a line is not as it should be.
  static func themes(in text: String) -> [ColorTheme]? {
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("# ") }
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    let head = ["number", "name", "title", "scheme"]
    guard lines.count % 2 == 1, lines[0] == head + ThemeToken.allCases.map(\.rawValue) else {
      return nil
    }
    var themes: [ColorTheme] = []
    for index in stride(from: 1, to: lines.count, by: 2) {
      let (light, dark) = (lines[index], lines[index + 1])
      guard light.count == lines[0].count, dark.count == lines[0].count, light[3] == "light",
        dark[3] == "dark", light[..<3] == dark[..<3], let number = Int(light[0]),
        let lightColors = colors(light), let darkColors = colors(dark)
      else { return nil }
      themes.append(
        ColorTheme(
          number: number, name: light[1], title: light[2], light: lightColors, dark: darkColors))
    }
    let isUnique =
      Set(themes.map(\.number)).count == themes.count
      && Set(themes.map(\.name)).count == themes.count
    return isUnique && !themes.isEmpty ? themes : nil
  }

  private static func colors(_ fields: [String]) -> [ThemeToken: MapColor]? {
    var colors: [ThemeToken: MapColor] = [:]
    for (token, field) in zip(ThemeToken.allCases, fields.dropFirst(4)) {
      guard let color = MapColor(field) else { return nil }
      colors[token] = color
    }
    return colors
  }
}
