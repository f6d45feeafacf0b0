import ArgumentParser
import Foundation
import GeoStore
import Geodesy
import Roqua

extension ExportOptions.Format: ExpressibleByArgument {}
extension ExportOptions.Layer: ExpressibleByArgument {}

extension ExportReport.Layer {
  /// The number of features in words.
  fileprivate var words: String {
    switch layer {
    case .regions: Wording.count(features, "region")
    case .visits: Wording.count(features, "visit")
    case .tracks: Wording.count(features, "track")
    case .fixes: Wording.count(features, "kept fix", "kept fixes")
    case .coverage: Wording.count(features, "explored area")
    case .places: Wording.count(features, "place")
    }
  }
}

struct Export: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write your regions, visits, tracks and explored area to a file for other programs.",
    discussion: """
      The file's ending sets the format, and --format overrides it: GeoJSON (.geojson, \
      .geojsonl), GeoPackage (.gpkg), FlatGeobuf (.fgb), GeoParquet (.parquet), SpatiaLite \
      (.sqlite), GPX (.gpx), KML (.kml, .kmz), CSV (.csv). Folders have no ending: a Sync folder \
      of Fog of World (--format fog-of-world), and Parquet files for questions about many people \
      (--format parquet-dataset).

      Layers are regions (visited regions), visits, tracks (lines), fixes (the kept fixes, a point \
      each), coverage (the explored area as polygons) and places (countries, regions and cities). \
      A file of one layer has the regions unless --only names another one; GPX has the kept fixes, \
      as points of tracks; the others have all layers but fixes.

      Nothing near a privacy zone of the store is in the file, nor near a point given with --hide. \
      A file that exists is kept unless --force is given, and the new one appears only when it is \
      complete.

      Examples:
        roqua export history.gpkg
        roqua export iceland.gpx --country Iceland
        roqua export fixes.csv --only fixes --from 2024
        roqua export - --format geojsonl --only visits
        roqua export explored.gpkg --only coverage --discs
        roqua export people/anna --format parquet-dataset --person anna
      """)

  @OptionGroup var store: StoreArguments

  @Argument(
    help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"),
    completion: .file())
  var path: String

  @Option(
    help: ArgumentHelp(
      "Write this format: geojson, geojsonl, gpkg, fgb, parquet, spatialite, gpx, kml, kmz, csv, "
        + "fog-of-world or parquet-dataset.", valueName: "format"))
  var format: ExportOptions.Format?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Write only this layer: regions, visits, tracks, fixes, coverage or places. May be given "
        + "more than once.", valueName: "layer"))
  var only: [ExportOptions.Layer] = []

  @Option(
    help: "Write only this country: its name or its ISO 3166-1 code (DE, DEU).",
    completion: Completions.countries)
  var country: String?

  @Option(help: "Write only this state or province: its name or its ISO 3166-2 code (DE-BY).")
  var region: String?

  @Option(help: "Write only this city.")
  var city: String?

  @Option(
    help: ArgumentHelp(
      "Write only from this time on: \(Moment.forms).", valueName: "time"),
    transform: Moment.init)
  var from: Moment?

  @Option(
    help: ArgumentHelp("Write only up to the end of this time.", valueName: "time"),
    transform: Moment.init)
  var to: Moment?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Write only what lies in this box, in degrees; a west greater than the east crosses ±180°.",
      valueName: "south,west,north,east"))
  var bbox: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Write only what this source contributed, by its number in roqua sources. May be given more "
        + "than once.", valueName: "id"))
  var source: [Int64] = []

  @OptionGroup var hiding: HideArguments

  @Flag(
    help: ArgumentHelp(
      "Write the explored area as the union of the discs around your fixes instead of cells; give "
        + "it with --only coverage. This needs SpatiaLite."))
  var discs = false

  @Option(
    help: ArgumentHelp(
      "Name the person of the Parquet dataset; that of the selected profile if not given.",
      valueName: "name"))
  var person: String?

  @Flag(help: "Replace the file if it exists.")
  var force = false

  private func box() throws -> BoundingBox? { bbox.isEmpty ? nil : try DegreeList.box(bbox) }

  /// The format that was given, or that the name's ending says.
  private func chosenFormat() throws -> ExportOptions.Format {
    if let format { return format }
    if let format = ExportOptions.Format(path: NegativeNumbers.original(path)) { return format }
    throw ValidationError(
      path == "-"
        ? "Standard output needs --format."
        : "The ending of the name is not that of a format; add one, such as .gpkg, or give "
          + "--format."
    )
  }

  func validate() throws {
    _ = try box()
    let format = try chosenFormat()
    try SelectionArguments.check(country: country, region: region, from: from, to: to)
    if let refusal = format.refusal(of: only) { throw ValidationError(refusal + ".") }
    if format.hasOneLayer, Set(only).count > 1 {
      throw ValidationError("A file of \(format.rawValue) has one layer; give one --only.")
    }
    if format != .parquetDataset, person != nil {
      throw ValidationError("--person belongs to --format parquet-dataset.")
    }
    if format.isFolder, force {
      throw ValidationError("--force cannot replace a folder; give a new or an empty one.")
    }
    if discs, format.isFolder || Set(only) != [.coverage] {
      throw ValidationError(
        format.isFolder
          ? "\(format.rawValue) has cells; leave out --discs."
          : "--discs draws the explored area only; give --only coverage with it.")
    }
    if path == "-" {
      guard format.isStreamable else {
        throw ValidationError("\(format.rawValue) cannot be written to standard output.")
      }
      if format.isBinary { try Console.checkTakesBinary(format.rawValue) }
      if store.json {
        throw ValidationError("- cannot be combined with --json: both write to standard output.")
      }
    }
  }

  func run() throws {
    try Console.reportingErrors {
      let path = NegativeNumbers.original(path)
      Interruption.prepare(
        working: path == "-" ? "the output is incomplete" : "no file was written",
        committed: "the file is written")
      let explorer = try store.open(creating: false)
      let options = try options(of: explorer)
      let report =
        try options.format.isFolder
        ? exportFolder(explorer, options, to: path)
        : WorkProgress.showing { _ in
          try explorer.export(to: path, options: options, replacing: force)
        }
      if store.json {
        Console.print(report.json)
        return
      }
      if path != "-" {
        let contents = report.layers.map { layer in
          report.format.isFolder && layer.layer == .coverage
            ? Wording.count(layer.features, "tile") : layer.words
        }.joined(separator: ", ")
        Console.print("\(path): \(contents) in \(Wording.bytes(report.bytes))")
      }
      for note in report.notes {
        if path == "-" { Console.printError(note) } else { Console.print(note) }
      }
    }
  }

  /// Exports to a folder. A signal cancels the export, which removes the files that it has written:
  /// they are too many for a signal handler.
  private func exportFolder(
    _ explorer: Explorer, _ options: ExportOptions, to path: String
  ) throws -> ExportReport {
    let cancellation = Cancellation()
    Interruption.prepareCanceling(cancellation, working: "the folder is incomplete")
    do {
      return try Cancellation.$current.withValue(cancellation) {
        try explorer.export(to: path, options: options)
      }
    } catch {
      Interruption.endIfCanceled(saying: "no folder was written")
      throw error
    }
  }

  private func options(of explorer: Explorer) throws -> ExportOptions {
    var options = ExportOptions(format: try chosenFormat())
    if !only.isEmpty {
      // In the order of the layers, each once.
      options.layers = ExportOptions.Layer.allCases.filter(only.contains)
    }
    options.box = try box()
    options.hiddenZones = try hiding.zones()
    options.drawsDiscs = discs
    if options.format == .parquetDataset {
      guard let name = try person.map(NegativeNumbers.original) ?? store.profile?.name else {
        throw ValidationError("Give --person, the name of the person in the dataset.")
      }
      options.person = name
    }
    if from != nil || to != nil {
      let first = from?.range.lowerBound ?? Timestamp.writable.lowerBound
      let last = to?.range.upperBound ?? Timestamp.writable.upperBound
      options.selection.times = first...last
    }
    if country != nil || region != nil || city != nil {
      let place = try explorer.place(
        country: country, region: region, city: city, locale: PlaceWording.current.locale)
      NamesakeNote.print(place)
      options.selection.place = place
    }
    if !source.isEmpty {
      let known = Set(try explorer.read { try $0.sources() }.map(\.id))
      if let id = source.first(where: { !known.contains($0) }) {
        throw ValidationError("There is no source \(id); roqua sources lists them.")
      }
      options.sources = Set(source)
    }
    return options
  }
}
