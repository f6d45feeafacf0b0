import GeoStore
import Geodesy

/// What a picture of the map looks like.
///
/// ```swift
/// var options = PictureOptions(projection: .globe)
/// options.size = PictureSize(width: 4_096, height: 4_096)
/// options.scheme = .dark
/// ```
public struct PictureOptions: Hashable, Sendable {
  /// The formats of pictures.
  public enum Format: String, CaseIterable, Sendable {
    /// PNG, 8 bits for each of red, green and blue; a film is an animated PNG.
    case png
    /// WebP without loss; a film is an animated WebP.
    case webp
    /// SVG 1.1: shapes and text.
    case svg
  }

  /// The projections.
  public enum Projection: String, CaseIterable, Sendable {
    /// An equal-area map of the world.
    case equalEarth = "equal-earth"
    /// Web Mercator, as map pages and tiles have it.
    case mercator
    /// The Earth seen from far above.
    case globe
  }

  /// The part of the world that a picture shows.
  public enum Framing: Hashable, Sendable {
    /// The place of the query; without one, the world.
    case automatic
    /// All of a box.
    case box(BoundingBox)
    /// The surroundings of a point, at a zoom of web maps, 0...18; without a zoom, the world around
    /// the point.
    case around(Coordinate, zoom: Double?)
  }

  /// The step from one frame of a film to the next one.
  public enum Film: String, CaseIterable, Sendable {
    /// A frame for each year.
    case year
    /// A frame for each month.
    case month
  }

  /// The format; nil for the one of the file's name.
  public var format: Format?
  /// The size; nil for one that suits the projection.
  public var size: PictureSize?
  /// The projection; nil for Equal Earth if the picture shows the world, and Mercator, which keeps
  /// shapes, if it shows a part of it that does not reach beyond 84° north or south.
  public var projection: Projection?
  /// The part of the world that is shown.
  public var framing = Framing.automatic
  /// Light or dark; nil for the store's setting. `system` is light.
  public var scheme: ColorScheme?
  /// The name of a color theme; nil for the store's setting.
  public var theme: String?
  /// Whether the map has a margin with a title, numbers and credits.
  public var isPoster = false
  /// Whether the picture is a film of what was explored; nil for a still picture.
  public var film: Film?

  /// The zooms of ``Framing/around(_:zoom:)``.
  package static let zooms: ClosedRange<Double> = 0...18

  /// Creates options.
  public init(format: Format? = nil, projection: Projection? = nil) {
    (self.format, self.projection) = (format, projection)
  }

  /// The names of the color themes.
  public static var themes: [String] { PictureTheme.names }
}

/// The size of a picture in pixels.
///
/// ```swift
/// var options = PictureOptions(projection: .equalEarth)
/// options.size = PictureSize(width: 3_840, height: 2_160)
/// try await explorer.writePicture(to: URL(filePath: "world.png"), options: options)
/// ```
public struct PictureSize: Hashable, Sendable {
  /// The width.
  package let width: Int
  /// The height.
  package let height: Int

  /// The widths and heights that a picture may have.
  package static let sides = 64...16_384

  /// Creates a size; nil if a side is not in 64...16384.
  public init?(width: Int, height: Int) {
    guard Self.sides.contains(width), Self.sides.contains(height) else { return nil }
    (self.width, self.height) = (width, height)
  }
}

/// A picture that was written.
///
/// ```swift
/// var options = PictureOptions()
/// options.film = .month
/// let file = URL(filePath: "months.png")
/// let film = try await explorer.writePicture(to: file, options: options)
/// print("\(film.frames) frames of \(film.width) × \(film.height), \(film.bytes) bytes")
/// for note in film.notes { print(note) }
/// ```
public struct PictureReport: Hashable, Sendable {
  /// The path as given; `-` for standard output.
  package let path: String
  /// The format.
  package let format: PictureOptions.Format
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The number of frames; 1 for a still picture.
  public let frames: Int
  /// The size of the file in bytes.
  public let bytes: Int
  /// The number of explored cells on the map, within the picture or not.
  public let cells: Int
  /// What could not be shown, one sentence each.
  public let notes: [String]
}
