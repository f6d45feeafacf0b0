import ByteStreams
import FogMap
import GeoStore
import Geocode
import Geodesy
import GridHash
import SQLiteLayer

/// Makes a picture from one state of a store.
struct PictureMaker {
  let explorer: Explorer
  let options: PictureOptions
  let query: MapQuery
  let format: PictureOptions.Format
  /// The path of the output, for messages.
  let path: String

  /// The most pixels of a film.
  static let mostFilmPixels = 1 << 24

  /// What a picture shows.
  struct Content {
    /// The map without its explored cells, and what lies on it.
    var scene: PictureScene
    let coverage: Coverage
    let title: String
    var notes: [String] = []
  }

  /// Writes the picture of a snapshot.
  func write(
    of snapshot: Snapshot, to file: DatabaseOutput
  ) throws(DatabaseError) -> PictureReport {
    if format == .webp { try checkWebP(size) }
    if options.film != nil { try checkFilm() }
    var content = try content(of: snapshot)
    let output = PictureOutput(file)
    var frames = 1
    if let step = options.film {
      let film = try PictureFilm(
        content.coverage, by: step, query.selection, of: snapshot, explorer: explorer)
      if !film.isDated { content.notes.append("No kept fix has a time, so there is one frame.") }
      frames = film.frames.count
      switch format {
      case .webp: try writeWebP(film, content, to: output)
      default: try writePNG(film, content, to: output)
      }
    } else {
      content.scene.setCells(content.coverage)
      switch format {
      case .png: try writePNG(content, to: output)
      case .webp: try writeWebP(content, to: output)
      case .svg: try writeSVG(content, to: output)
      }
    }
    return PictureReport(
      path: path, format: format, width: content.scene.width, height: content.scene.height,
      frames: frames, bytes: output.bytes, cells: content.coverage.count, notes: content.notes)
  }

  private func checkFilm() throws(DatabaseError) {
    guard format != .svg else {
      throw .cannotWrite(path: path, reason: "a film is a .png or a .webp, not an .svg")
    }
    guard size.width * size.height <= Self.mostFilmPixels else {
      throw .cannotWrite(path: path, reason: "a film has at most 16,777,216 pixels")
    }
  }

  // MARK: - Content

  /// Reads the store and prepares the shapes.
  private func content(of snapshot: Snapshot) throws(DatabaseError) -> Content {
    guard let colors = PictureTheme.colors(options, snapshot.settings) else {
      throw .cannotWrite(path: path, reason: "there is no color theme of that name")
    }
    let hidden = HiddenGround(try query.zones(of: snapshot), snapshot.settings)
    let names = PlaceTranslator(explorer.geocoder, locale: query.locale)
    let words = language(in: names)
    var numbers: [PosterLayout.Number] = []
    let coverage: Coverage
    if options.isPoster {
      let summary = try PictureSummary(
        query, hiding: hidden, of: snapshot, by: explorer, in: words)
      (coverage, numbers) = (summary.coverage, summary.numbers)
    } else {
      coverage = try MapCells.selected(query, of: snapshot, by: explorer)
    }
    let size = size
    let title = query.plainTitle ?? MapWording.title(of: query.selection, in: words)
    var (shown, notes) = readable(title, or: words)
    let layout =
      options.isPoster
      ? PosterLayout(
        width: size.width, height: size.height, title: shown, numbers: numbers,
        credits: MapWording.credits) : nil
    let frame = layout?.frame ?? PictureFrame(width: size.width, height: size.height)
    let placeBox = placeBox(coverage)
    let view = view(in: frame, placeBox, coverage)
    if placeBox != nil, view.projection != .globe {
      let hidden = Self.hiddenCells(of: coverage, on: view)
      if hidden > 0 { notes.append(Self.note(hidden: hidden)) }
    }
    let style = PictureStyle(colors, for: view)
    var scene = PictureScene(width: size.width, height: size.height, view: view, style: style)
    if query.includesTracks {
      let area = query.selection.place.map {
        PlaceArea(of: $0, grid: snapshot.settings.grid, geocoder: explorer.geocoder)
      }
      let tracks = try MapTracks(
        query.selection, hiding: hidden, in: area, of: snapshot, by: explorer)
      var lines: [[PicturePoint]] = []
      for line in tracks.positions {
        view.trace(line) { view.clip($0, margin: style.trackWidth) { lines.append($0) } }
      }
      scene.addOverlay(style.color(.track), onMap: true, lines: lines, width: style.trackWidth)
    }
    let labels = PictureLabels(
      on: view, pen: style.pen, geocoder: explorer.geocoder, in: names)
    if !labels.lines.isEmpty {
      scene.addOverlay(style.color(.label), onMap: true, text: labels.lines)
    }
    if let layout {
      scene.addOverlay(style.color(.text), text: layout.lines)
      scene.addOverlay(style.color(.secondaryText), text: layout.smallLines)
    }
    return Content(scene: scene, coverage: coverage, title: title, notes: notes)
  }

  /// The language of the picture's own words about its place: English if the picture has no letters
  /// for the place's name. Then its labels are English, too.
  private func language(in names: PlaceTranslator) -> PlaceTranslator {
    let place = query.selection.place.map(names.label) ?? ""
    return Typeface.display.readable(place).missing == 0
      ? names : PlaceTranslator(explorer.geocoder, locale: nil)
  }

  /// The title as the picture can show it, and what it cannot show.
  private func readable(
    _ title: String, or words: PlaceTranslator
  ) -> (title: String, notes: [String]) {
    guard options.isPoster, format != .svg else { return (title, []) }
    let (text, missing) = Typeface.display.readable(title)
    guard missing > 0 else { return (title, []) }
    let count = missing == 1 ? "1 character" : "\(MapWording.count(missing)) characters"
    let note = "The title has \(count) that this picture has no letters for; an SVG shows them."
    guard text.isEmpty else { return (text, [note]) }
    return (MapWording.title(of: query.selection, in: words), [note])
  }

  /// The size that was asked for, or one that suits the projection.
  private var size: PictureSize {
    let isWorld = options.framing == .automatic && query.selection.place == nil
    let sides: (Int, Int) =
      switch options.projection ?? .equalEarth {
      case .equalEarth where isWorld: options.isPoster ? (2_400, 1_600) : (2_048, 1_024)
      case .mercator where isWorld: options.isPoster ? (2_000, 2_400) : (2_048, 2_048)
      default: options.isPoster ? (1_800, 2_400) : (1_600, 1_600)
      }
    guard let size = options.size ?? PictureSize(width: sides.0, height: sides.1) else {
      preconditionFailure("default sizes are valid")
    }
    return size
  }

  /// The projection that was asked for, or one that suits a part of the world.
  ///
  /// - Parameter latitudes: those of the part in degrees; nil for the world.
  private func projection(for latitudes: ClosedRange<Double>?) -> PictureProjection {
    switch options.projection {
    case .equalEarth: .equalEarth
    case .mercator: .mercator
    case .globe: .globe
    case nil:
      latitudes.map { (-84...84).contains($0.lowerBound) && (-84...84).contains($0.upperBound) }
        ?? false ? .mercator : .equalEarth
    }
  }

  /// The number of cells in tiles whose middle is not in the picture.
  private static func hiddenCells(of coverage: Coverage, on view: MapView) -> Int {
    coverage.tiles.reduce(0) { count, entry in
      let point = coverage.grid.middle(ofTile: entry.key).flatMap {
        view.visiblePoint(
          latitudeDegrees: $0.latitudeDegrees, longitudeDegrees: $0.longitudeDegrees)
      }
      return point == nil ? count + entry.tile.count : count
    }
  }

  private static func note(hidden cells: Int) -> String {
    let count = cells == 1 ? "1 explored cell" : "\(MapWording.count(cells)) explored cells"
    return "The picture leaves out \(count) outside of its frame."
  }

  /// The box of the place of the query, if the picture is to show that.
  private func placeBox(_ coverage: Coverage) -> BoundingBox? {
    guard case .automatic = options.framing, let place = query.selection.place else { return nil }
    return PlaceExtent(explorer.geocoder).box(of: place, explored: coverage)
  }

  private func view(
    in frame: PictureFrame, _ placeBox: BoundingBox?, _ coverage: Coverage
  ) -> MapView {
    func framing(_ latitudes: ClosedRange<Double>?) -> PictureFraming {
      PictureFraming(
        projection: projection(for: latitudes), frame: frame,
        margin: options.isPoster ? 0 : 0.03)
    }
    switch options.framing {
    case .box(let box): return framing(box.south...box.north).box(box, margin: 0)
    case .around(let center, let zoom):
      let angles = Angles(
        latitude: center.latitudeDegrees * .pi / 180,
        longitude: center.longitudeDegrees * .pi / 180)
      guard let zoom else { return framing(nil).world(around: angles) }
      let latitude = center.latitudeDegrees
      return framing(latitude...latitude).around(angles, zoom: zoom)
    case .automatic:
      if let box = placeBox { return framing(box.south...box.north).box(box, margin: 0.08) }
      let world = framing(nil)
      return world.world(
        around: world.projection == .globe ? PictureFraming.middle(of: coverage) : nil)
    }
  }
}

/// The bytes of a picture on their way to a file.
final class PictureOutput {
  private let file: DatabaseOutput
  /// The bytes so far.
  private(set) var bytes = 0

  init(_ file: DatabaseOutput) { self.file = file }

  /// Writes bytes; false if that fails, which finishing the file then reports.
  func write(_ piece: [UInt8]) -> Bool {
    bytes += piece.count
    return file.write(piece)
  }
}
