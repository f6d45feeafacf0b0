/// What a color of a theme is for. Raw values are the columns of `data/themes/themes.csv`.
package enum ThemeToken: String, CaseIterable, Sendable {
  /// Panels and menus.
  case background
  /// Buttons, chosen entries, bars; its labels have the color of the background.
  case primary
  /// Fields, lines and the bars' ground.
  case secondary
  /// Text on the background and on `secondary`.
  case text
  /// Less important text on the same grounds.
  case secondaryText
  /// What covers unexplored ground; translucent.
  case fog
  /// What tints explored ground; translucent.
  case explored
  /// Land.
  case land
  /// Sea, lakes and rivers.
  case water
  /// Borders of countries; those of regions are fainter.
  case border
  /// Names on the map.
  case label
  /// Tracks and visited regions.
  case track
}
