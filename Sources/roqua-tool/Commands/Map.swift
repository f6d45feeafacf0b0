import ArgumentParser
import Foundation
import GeoStore
import Geodesy
import Roqua

struct Map: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "map",
    abstract: "Draw a map of the explored area.",
    discussion: """
      Writes one HTML page that any browser opens from disk, without a connection: the explored \
      area on a map of the world, your statistics, a search for places, and a time machine that \
      shows the map as it was on any day. The page contains what it shows, and nothing else from \
      the store.

      --from and --to show the cells that were first explored in that time; --country, --region \
      and --city those in that place. --time-zone local counts days by the clock of each place.

      Nothing near a privacy zone of the store is on the map, nor near a point given with --hide. \
      The hidden ground is a rectangle of whole blocks, so that its outline does not show the \
      center.

      A name that ends in .png, .webp or .svg writes a picture: a map of the world, a globe, or \
      the place of --country, --region, --city, --bbox or --center; a poster with --poster, and \
      with --film an animation of your years. With - as the name, --format says which \
      kind of picture.

      A name that ends in .mbtiles or .pmtiles writes map tiles, and --format png or mvt with a \
      name without an ending a folder of tiles: fog that is clear where you have been, or the \
      explored area as polygons. Writing the same MBTiles file or folder again with the same \
      options renews only the tiles that have changed.

      Colors are those of the settings colorTheme and colorScheme, and can be changed on the page.

      Examples:
        roqua map
        roqua map summer.html --from 2024-06 --to 2024-08 --tracks
        roqua map shared.html --hide 41.0256 28.9742 --radius 500m
        roqua map poster.png --poster --title "My world"
        roqua map globe.png --projection globe --scheme dark
        roqua map years.png --film
        roqua map explored.mbtiles --zoom 0-10
      """)

  @OptionGroup var store: StoreArguments

  @Argument(
    help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"),
    completion: .file())
  var path = "roqua-map.html"

  @OptionGroup var selection: SelectionArguments

  @Option(
    help: ArgumentHelp(
      "Write tiles of these zooms, 0 to 16 (default: 0-12), or a picture of this zoom.",
      valueName: "a-b"), transform: MapZoom.parse)
  var zoom: MapZoom?

  @Option(
    help: "Write tiles as pictures (png) or polygons (mvt); with -, a picture (png, webp, svg).")
  var format: MapFormat?

  @OptionGroup(title: "Pictures") var picture: PictureArguments

  @Flag(help: "Draw the tracks, too.")
  var tracks = false

  @Option(help: "Give the page, poster or file this title.")
  var title: String?

  @OptionGroup var hiding: HideArguments

  @Flag(help: "Replace the file if it exists.")
  var force = false

  func validate() throws {
    switch try MapTarget(path: NegativeNumbers.original(path), format: format) {
    case .page:
      if zoom != nil {
        throw ValidationError("--zoom is for tiles and pictures, not for a page.")
      }
      try refusePictureOptions()
    case .tiles:
      if tracks { throw ValidationError("--tracks is for a page or a picture, not for tiles.") }
      if let zoom, zoom.tileZooms == nil {
        throw ValidationError("--zoom of tiles is one or two whole numbers, 0 to 16.")
      }
      try refusePictureOptions()
    case .picture(let format):
      _ = try picture.options(format, zoom: zoom)
      if path == "-", format != .svg { try Console.checkTakesBinary(format.rawValue) }
    }
    if path == "-", store.json {
      throw ValidationError("- cannot be combined with --json: both write to standard output.")
    }
  }

  private func refusePictureOptions() throws {
    if let option = picture.firstGiven {
      throw ValidationError("\(option) is for pictures: a .png, a .webp or an .svg.")
    }
  }

  func run() throws {
    try Console.reportingErrors {
      let path = NegativeNumbers.original(path)
      let target = try MapTarget(path: path, format: format)
      prepareInterruption(target, path)
      let explorer = try store.open(creating: false)
      var query = MapQuery()
      query.selection = try selection.query(of: explorer)
      query.includesTracks = tracks
      query.title = title.map(NegativeNumbers.original)
      query.locale = PlaceWording.current.locale
      query.hiddenZones = try hiding.zones()
      switch target {
      case .page: try writePage(explorer, query, to: path)
      case .tiles(let format): try writeTiles(explorer, query, format, to: path)
      case .picture(let format): try writePicture(explorer, query, format, to: path)
      }
    }
  }

  private func prepareInterruption(_ target: MapTarget, _ path: String) {
    if case .tiles = target, !MapTiles.isArchive(path) {
      return Interruption.prepare(
        working: "no tile was written",
        committed: "the folder is incomplete; run the same command again to complete it")
    }
    let working =
      path == "-"
      ? "the output is incomplete"
      : FileManager.default.fileExists(atPath: path)
        ? "the file is as it was" : "no file was written"
    Interruption.prepare(working: working, committed: "the file is written")
  }

  private func writePage(_ explorer: Explorer, _ query: MapQuery, to path: String) throws {
    let export = try WorkProgress.showing { _ in
      try explorer.writeMap(to: path, of: query, replacing: force)
    }
    if store.json {
      Console.print(export.json)
    } else if path != "-" {
      Console.print(
        "\(path): \(Wording.count(export.cells, "explored cell")) in "
          + "\(Wording.bytes(export.bytes)). Open it in a browser.")
      export.notes.forEach(Console.print)
    }
  }

  private func writeTiles(
    _ explorer: Explorer, _ query: MapQuery, _ format: MapTileOptions.Format, to path: String
  ) throws {
    var options = MapTileOptions(format: format)
    if let zooms = zoom?.tileZooms { options.zooms = zooms }
    if let title = query.title { options.name = title }
    let report = try WorkProgress.showing { _ in
      try explorer.writeMapTiles(to: path, options: options, of: query, replacing: force)
    }
    if store.json {
      Console.print(report.json)
    } else if path != "-" {
      let written = Wording.count(report.written, "tile")
      let removed = report.removed > 0 ? ", \(Wording.count(report.removed)) removed" : ""
      Console.print("\(path): \(written) \(report.isRenewal ? "renewed" : "written")\(removed)")
    }
  }

  private func writePicture(
    _ explorer: Explorer, _ query: MapQuery, _ format: PictureOptions.Format, to path: String
  ) throws {
    let options = try picture.options(format, zoom: zoom)
    let report = try WorkProgress.showing { _ in
      try explorer.writePicture(to: path, options: options, of: query, replacing: force)
    }
    if store.json {
      Console.print(report.json)
    } else {
      if path != "-" {
        let frames = report.frames > 1 ? ", \(Wording.count(report.frames, "frame"))" : ""
        Console.print(
          "\(path): \(report.width) × \(report.height) pixels\(frames), "
            + Wording.bytes(report.bytes))
      }
      for note in report.notes {
        if path == "-" { Console.printError(note) } else { Console.print(note) }
      }
    }
  }
}
