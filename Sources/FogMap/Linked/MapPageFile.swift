import CMapPage

/// The files that a map page is made of, linked into the program.
package struct MapPageFile: Sendable {
  private let file: @Sendable () -> roqua_map_page_file

  /// The page with places for its parts: `{{title}}`, `{{style}}`, and so on.
  static let page = MapPageFile { roqua_map_page_html() }
  /// The style sheet.
  static let style = MapPageFile { roqua_map_page_style() }
  /// The script of the page.
  static let script = MapPageFile { roqua_map_page_script() }
  /// The script of the workers that draw tiles.
  static let worker = MapPageFile { roqua_map_page_worker() }
  /// The color themes.
  static let themes = MapPageFile { roqua_map_page_themes() }
  /// `data/packed/basemap.bin`.
  static let baseMap = MapPageFile { roqua_map_page_base_map() }
  /// `data/letters/letters.bin`.
  static let letters = MapPageFile { roqua_map_page_letters() }

  /// The bytes of the file.
  ///
  /// Sound: the file is a constant of the program.
  var bytes: UnsafeRawBufferPointer {
    let file = file()
    return UnsafeRawBufferPointer(start: file.bytes, count: file.count)
  }

  /// The file as text.
  var text: String { String(decoding: bytes, as: UTF8.self) }
}
