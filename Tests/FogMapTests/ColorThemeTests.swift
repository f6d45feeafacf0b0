import Testing

@testable import FogMap

/// The themes of `data/themes/themes.csv`.
@Suite struct ColorThemeTests {
  @Test func `there are six themes or more, each with its own number and name`() {
    let names = ColorTheme.all.map(\.name)
    #expect(names.count >= 6)
    #expect(names.first == "blue")
    for name in ["blue", "pink", "clear", "contrast"] { #expect(names.contains(name)) }
    #expect(ColorTheme.all.first?.number == 0)
    for theme in ColorTheme.all {
      #expect(ColorTheme.named(theme.name) == theme)
      #expect(ColorTheme.numbered(theme.number) == theme)
      for colors in [theme.light, theme.dark] {
        #expect(Set(colors.keys) == Set(ThemeToken.allCases))
      }
    }
  }

  /// Every pair of a text and what it stands on: WCAG's level AA asks for 4.5.
  @Test(arguments: ColorTheme.all)
  func `every text has enough contrast`(theme: ColorTheme) throws {
    for colors in [theme.light, theme.dark] {
      func color(_ token: ThemeToken) throws -> MapColor { try #require(colors[token]) }
      let background = try color(.background)
      var pairs = [
        (try color(.text), background), (try color(.text), try color(.secondary)),
        (try color(.secondaryText), background), (try color(.secondaryText), try color(.secondary)),
        (background, try color(.primary)), (try color(.primary), background),
      ]
      for ground in [try color(.land), try color(.water)] {
        pairs.append((try color(.label), ground))
        pairs.append((try color(.label), try color(.fog).over(ground)))
        pairs.append((try color(.label), try color(.explored).over(ground)))
        // Names of regions and towns are fainter.
        let label = try color(.label)
        let faint = MapColor(red: label.red, green: label.green, blue: label.blue, alpha: 209)
        pairs.append((faint.over(try color(.fog).over(ground)), try color(.fog).over(ground)))
      }
      for (text, ground) in pairs {
        #expect(
          text.contrast(with: ground) >= 4.5, "\(theme.name): \(text.text) on \(ground.text)")
      }
    }
  }

  /// What is no text must differ from its ground by less, 3.
  @Test(arguments: ColorTheme.all)
  func `tracks differ from fog`(theme: ColorTheme) throws {
    for colors in [theme.light, theme.dark] {
      let fogged = try #require(colors[.fog]).over(try #require(colors[.land]))
      #expect(try #require(colors[.track]).contrast(with: fogged) >= 3, "\(theme.name)")
    }
  }

  @Test func `contrast is that of the examples in WCAG`() throws {
    let (black, white) = (try #require(MapColor("#000000")), try #require(MapColor("#ffffff")))
    #expect(abs(black.contrast(with: white) - 21) < 1e-9)
    #expect(white.contrast(with: white) == 1)
    // #767676 is the lightest gray that reaches 4.5 on white.
    #expect(try #require(MapColor("#767676")).contrast(with: white) >= 4.5)
    #expect(try #require(MapColor("#777777")).contrast(with: white) < 4.5)
  }

  @Test func `colors are read and written`() {
    #expect(MapColor("#0b5fc0")?.text == "#0b5fc0")
    #expect(MapColor("#0B5FC080") == MapColor(red: 11, green: 95, blue: 192, alpha: 128))
    #expect(MapColor("#0b5fc080")?.text == "#0b5fc080")
    for text in ["", "#", "#12345", "#1234567", "0b5fc0", "#0b5fcg", "#+b5fc0", "#0b5fc0ffff"] {
      #expect(MapColor(text) == nil, "\(text)")
    }
  }

  @Test func `a wrong line makes the file unreadable`() {
    let text = MapPageFile.themes.text
    #expect(ColorTheme.themes(in: text)?.count == ColorTheme.all.count)
    #expect(ColorTheme.themes(in: "# a comment\n" + text)?.count == ColorTheme.all.count)
    let lines = text.split(separator: "\n").map(String.init)
    #expect(ColorTheme.themes(in: lines.dropLast().joined(separator: "\n")) == nil)
    #expect(ColorTheme.themes(in: (lines + lines[1...2]).joined(separator: "\n")) == nil)
    #expect(ColorTheme.themes(in: text.replacing("#ffffff", with: "white")) == nil)
    #expect(ColorTheme.themes(in: text.replacing("label", with: "name")) == nil)
    #expect(ColorTheme.themes(in: lines[0]) == nil)
    #expect(ColorTheme.themes(in: "") == nil)
  }
}
