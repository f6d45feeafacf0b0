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

  /// What a picture shows.
  struct Content {
    let scene: PictureScene
    let cells: Int
  }

  /// Reads the store and prepares the shapes.
  func content(of snapshot: Snapshot) throws(DatabaseError) -> Content {
    guard let colors = PictureTheme.colors(options, snapshot.settings) else {
      throw .cannotWrite(path: path, reason: "there is no color theme of that name")
    }
    let coverage = try MapCells.selected(query, of: snapshot, by: explorer)
    let size = size
    let frame = PictureFrame(width: size.width, height: size.height)
    let view = view(in: frame, coverage)
    let style = PictureStyle(colors, for: view)
    var scene = PictureScene(width: size.width, height: size.height, view: view, style: style)
    scene.setCells(coverage)
    return Content(scene: scene, cells: coverage.count)
  }

  /// The size that was asked for, or one that suits the projection.
  private var size: PictureSize {
    let isWorld = options.framing == .automatic && query.selection.place == nil
    let sides: (Int, Int) =
      switch options.projection {
      case .equalEarth: isWorld ? (2_048, 1_024) : (1_600, 1_600)
      case .mercator: (2_048, 2_048)
      case .globe: (1_600, 1_600)
      }
    guard let size = options.size ?? PictureSize(width: sides.0, height: sides.1) else {
      preconditionFailure("default sizes are valid")
    }
    return size
  }

  private var projection: PictureProjection {
    switch options.projection {
    case .equalEarth: .equalEarth
    case .mercator: .mercator
    case .globe: .globe
    }
  }

  private func view(in frame: PictureFrame, _ coverage: Coverage) -> MapView {
    let framing = PictureFraming(projection: projection, frame: frame)
    switch options.framing {
    case .box(let box): return framing.box(box, margin: 0)
    case .around(let center, let zoom):
      let angles = Angles(
        latitude: center.latitudeDegrees * .pi / 180,
        longitude: center.longitudeDegrees * .pi / 180)
      return zoom.map { framing.around(angles, zoom: $0) } ?? framing.world(around: angles)
    case .automatic:
      if let place = query.selection.place,
        let box = PlaceExtent(explorer.geocoder).box(of: place)
      {
        return framing.box(box, margin: 0.08)
      }
      return framing.world(
        around: projection == .globe ? PictureFraming.middle(of: coverage) : nil)
    }
  }
}
