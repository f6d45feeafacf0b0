import ArgumentParser
import GeoStore
import Geodesy
import Roqua

extension PictureOptions.Projection: ExpressibleByArgument {}
extension PictureOptions.Film: ExpressibleByArgument {}

/// The options of `roqua map` that are for pictures only.
struct PictureArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Draw a picture of this size in pixels. (default: one that suits the projection)",
      valueName: "WxH"), transform: SizeArgument.parse)
  var size: SizeArgument?

  @Option(help: "Draw a picture in this projection. (default: one that suits what is shown)")
  var projection: PictureOptions.Projection?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Draw a picture around this point; with --zoom, of its surroundings.",
      valueName: "lat lon"))
  var center: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Draw a picture of this box, in degrees.", valueName: "south,west,north,east"))
  var bbox: [String] = []

  @Option(
    help: "Draw a picture in these colors: light or dark. (default: the setting colorScheme)")
  var scheme: SchemeArgument?

  @Option(
    help: "Draw a picture in the colors of this theme. (default: the setting colorTheme)",
    completion: .list(PictureOptions.themes))
  var theme: String?

  @Flag(help: "Draw a poster: a map with a title, numbers and credits.")
  var poster = false

  @Option(
    help: ArgumentHelp(
      "Draw a film with a frame for each year or month; --film alone is --film year.",
      valueName: "step"))
  var film: PictureOptions.Film?

  /// The first of these options that was given.
  var firstGiven: String? {
    let given: [(String, Bool)] = [
      ("--size", size != nil), ("--projection", projection != nil), ("--center", !center.isEmpty),
      ("--bbox", !bbox.isEmpty), ("--scheme", scheme != nil), ("--theme", theme != nil),
      ("--poster", poster), ("--film", film != nil),
    ]
    return given.first(where: \.1)?.0
  }

  /// The options of a picture.
  ///
  /// - Throws: `ValidationError` for options that contradict each other.
  func options(_ format: PictureOptions.Format, zoom: MapZoom?) throws -> PictureOptions {
    var options = PictureOptions(format: format, projection: projection)
    options.size = size?.size
    options.scheme = scheme?.scheme
    (options.theme, options.isPoster, options.film) = (theme, poster, film)
    if let theme, !PictureOptions.themes.contains(theme) {
      throw ValidationError(
        "There is no theme \(theme): \(PictureOptions.themes.joined(separator: ", ")).")
    }
    if film != nil, format == .svg {
      throw ValidationError("A film is a .png or a .webp, not an .svg.")
    }
    if !bbox.isEmpty {
      guard center.isEmpty, zoom == nil else {
        throw ValidationError("--bbox cannot be combined with --center or --zoom.")
      }
      options.framing = .box(try DegreeList.box(bbox))
    } else if !center.isEmpty {
      let point = try Position.coordinate(center, option: "--center")
      if zoom != nil, zoom?.pictureZoom == nil {
        throw ValidationError("--zoom of a picture is one number, 0 to 18.")
      }
      options.framing = .around(point, zoom: zoom?.pictureZoom)
    } else if zoom != nil {
      throw ValidationError("--zoom of a picture needs --center.")
    }
    return options
  }
}

/// A size as people write it: `2048x1024`.
struct SizeArgument {
  let size: PictureSize

  /// Reads a width and a height.
  ///
  /// - Throws: ``ArgumentFlaw``.
  static func parse(_ argument: String) throws(ArgumentFlaw) -> SizeArgument {
    let sides = argument.lowercased().split(separator: "x", omittingEmptySubsequences: false)
    guard sides.count == 2, let width = Int(sides[0]), let height = Int(sides[1]),
      let size = PictureSize(width: width, height: height)
    else {
      let (low, high) = (PictureSize.sides.lowerBound, PictureSize.sides.upperBound)
      throw ArgumentFlaw(
        "must be a width and a height of \(low) to \(Wording.count(high)) pixels, such as "
          + "2048x1024.")
    }
    return SizeArgument(size: size)
  }
}

/// Light or dark.
enum SchemeArgument: String, ExpressibleByArgument, CaseIterable {
  case light, dark

  var scheme: ColorScheme { self == .light ? .light : .dark }
}

/// Lets `--film` stand without a value: it means `--film year` then.
enum FilmArgument {
  /// The arguments, with the value that `--film` has where none follows it.
  static func completed(_ arguments: [String]) -> [String] {
    guard arguments.first == "map" else { return arguments }
    var completed: [String] = []
    for (place, argument) in arguments.enumerated() {
      completed.append(argument)
      guard argument == "--film" else { continue }
      let next = place + 1 < arguments.count ? arguments[place + 1] : ""
      if PictureOptions.Film(rawValue: next) == nil,
        next.isEmpty || next.hasPrefix("-")
          || next.contains(".")
      {
        completed.append(PictureOptions.Film.year.rawValue)
      }
    }
    return completed
  }
}
