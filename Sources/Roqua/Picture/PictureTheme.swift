import FogMap
import GeoStore

/// The colors of a picture.
enum PictureTheme {
  static var names: [String] { ColorTheme.all.map(\.name) }

  /// The colors that options ask for, else those of the store's settings.
  ///
  /// - Returns: nil for an unknown name.
  static func colors(
    _ options: PictureOptions, _ settings: StoreSettings
  ) -> [ThemeToken: MapColor]? {
    var theme = ColorTheme.numbered(settings.colorTheme) ?? ColorTheme.all.first
    if let name = options.theme { theme = ColorTheme.all.first { $0.name == name } }
    let scheme = options.scheme ?? settings.colorScheme
    return theme.map { scheme == .dark ? $0.dark : $0.light }
  }
}
