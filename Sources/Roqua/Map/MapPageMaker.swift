import FogMap
import GeoStore
import Geocode
import Geodesy
import GridHash
import SQLiteLayer

/// Makes a map page from one state of a store.
struct MapPageMaker {
  /// The most regions that a page lists.
  static let mostRegions = 60_000

  let explorer: Explorer
  let query: MapQuery
  private let names: PlaceTranslator

  init(explorer: Explorer, query: MapQuery) {
    (self.explorer, self.query) = (explorer, query)
    names = PlaceTranslator(explorer.geocoder, locale: query.locale)
  }

  /// What a page shows, before it is cut to size.
  private struct Content {
    let snapshot: Snapshot
    let cells: MapCells
    let places: MapPlaces
    let tracks: MapTracks?
    let stats: JSONValue
    let lists: String
    let bounds: [Double]?
  }

  /// The page as HTML and what it contains.
  ///
  /// Beyond the query's limit, visited regions are left out first, then details of tracks, then the
  /// precision of times. Cells are never left out.
  ///
  /// - Returns: nil if memory runs out.
  func make(of snapshot: Snapshot) throws(DatabaseError) -> (html: [UInt8], export: MapExport)? {
    let content = try content(of: snapshot)
    var thinning = Thinning()
    while true {
      let cells = try content.cells.page(
        thinning.precision, query.selection, of: snapshot, by: explorer)
      var made: (html: [UInt8], export: MapExport)?
      while true {
        try Cancellation.checkCurrent(for: explorer.store.path)
        made = page(content, cells, thinning)
        guard let made else { return nil }
        if made.html.count <= query.byteLimit { return made }
        let precision = thinning.precision
        guard thinning.goOn(hasTracks: content.tracks != nil) else { return made }
        if thinning.precision != precision { break }
      }
    }
  }

  /// What is left out to keep a page small.
  private struct Thinning {
    var precision = MapPrecision.day
    var regions = MapPageMaker.mostRegions
    /// The position of the tracks' tolerance; nil for no tracks.
    var tolerance: Int? = 0

    /// Leaves out more; false if there is nothing more to leave out.
    mutating func goOn(hasTracks: Bool) -> Bool {
      if regions > 10_000 {
        regions /= 2
      } else if hasTracks, let index = tolerance {
        tolerance = index + 1 < MapTracks.tolerances.count ? index + 1 : nil
      } else if let coarser = precision.coarser {
        precision = coarser
      } else {
        return false
      }
      return true
    }
  }

  private func content(of snapshot: Snapshot) throws(DatabaseError) -> Content {
    let grid = snapshot.settings.grid
    let hidden = HiddenGround(try query.zones(of: snapshot), snapshot.settings)
    let selection = query.selection
    var tally = ExploredTally(
      grid: grid, geocoder: explorer.geocoder, breakdowns: [.country, .region, .city])
    let cells = try MapCells(
      query, hiding: hidden, of: snapshot, by: explorer, into: &tally)
    let sums = tally.finish()
    func area() -> PlaceArea? {
      selection.place.map { PlaceArea(of: $0, grid: grid, geocoder: explorer.geocoder) }
    }
    let places = try MapPlaces(
      selection, hiding: hidden, in: area(), of: snapshot, by: explorer)
    let tracks =
      query.includesTracks
      ? try MapTracks(selection, hiding: hidden, in: area(), of: snapshot, by: explorer) : nil
    var shares: [PlaceLevel: [GroundShare]] = [:]
    for (level, ground) in sums.places {
      shares[level] = explorer.shares(of: ground, by: level).filter {
        MapLists.name(of: $0.place, level) != nil
      }
    }
    let lists = MapLists(places: places, names: names)
    let labels = MapLabels(explorer.geocoder, in: names)
    let document: JSONValue = [
      "country": lists.json(.country, shares[.country] ?? []),
      "region": lists.json(.region, shares[.region] ?? []),
      "city": lists.json(.city, shares[.city] ?? []),
      "places": lists.regionPlaces,
      "labels": labels.json(visited: places.cities),
    ]
    let totals = sums.totals.totals
    let stats: JSONValue = [
      "areaSquareKilometers": .number(totals.areaSquareKilometers),
      "landPercentage": .number(totals.landPercentage),
      "worldPercentage": .number(totals.worldPercentage),
      "cells": .integer(totals.cells),
      "visitedRegions": .integer(places.regions.count),
      "visits": .integer(places.visits),
      "countries": .integer(places.entries[.country]?.keys.filter { $0.country != nil }.count ?? 0),
      "regions": .integer(places.entries[.region]?.keys.filter { $0.region != nil }.count ?? 0),
      "cities": .integer(places.entries[.city]?.keys.filter { $0.city != nil }.count ?? 0),
    ]
    return Content(
      snapshot: snapshot, cells: cells, places: places, tracks: tracks, stats: stats,
      lists: document.description, bounds: Self.bounds(of: cells.selected)?.degrees)
  }

  /// The box around the explored squares.
  private static func bounds(of coverage: Coverage) -> MapBounds? {
    var bounds: MapBounds?
    for key in coverage.tileKeys {
      let first = coverage.grid.firstCell(ofTile: key)
      let step = coverage.grid.stepDegrees
      for corner in [Int32(0), 64] {
        let box = MapBounds(
          latitude: min(90, Double(first.row + corner) * step - 90),
          longitude: min(180, Double(first.column + corner) * step - 180))
        bounds = bounds?.union(box) ?? box
      }
    }
    return bounds
  }

  private func page(
    _ content: Content, _ cells: PageCells, _ thinning: Thinning
  ) -> (html: [UInt8], export: MapExport)? {
    let settings = content.snapshot.settings
    let precision = thinning.precision
    let regions = content.places.mostVisited(thinning.regions)
    let tracks = thinning.tolerance.flatMap { content.tracks?.page(tolerance: $0) }
    var notes: [String] = []
    if regions.count < content.places.regions.count {
      let total = MapWording.count(content.places.regions.count)
      notes.append(
        "To keep this file small, only the \(MapWording.count(regions.count)) most visited of "
          + "\(total) visited regions are listed.")
    }
    if let all = content.tracks, all.count > 0, thinning.tolerance != 0 {
      notes.append(
        tracks.map { "To keep this file small, tracks are drawn to \($0.meters) m." }
          ?? "To keep this file small, tracks are left out.")
    }
    if precision != .day {
      notes.append(
        precision == .none
          ? "To keep this file small, cells have no dates."
          : "To keep this file small, cells have the \(precision) instead of the day.")
    }
    let theme = ColorTheme.numbered(settings.colorTheme) ?? ColorTheme.all.first
    let title = query.plainTitle ?? MapWording.title(of: query.selection, in: names)
    let json: JSONValue = [
      "version": .integer(1), "title": .string(title), "units": .string(settings.units.name),
      "precision": .string(precision.rawValue),
      "timeZone": .string(query.selection.clock.rawValue), "stats": content.stats,
      "bounds": content.bounds.map { .array($0.map { .number($0) }) } ?? .null,
      "theme": .string(theme?.name), "scheme": .string(settings.colorScheme.name),
      "themes": .array(ColorTheme.all.map(\.json)),
      "notes": .array(notes.map { .string($0) }),
      "credits": .string(MapWording.credits),
    ]
    let page = MapPage(
      title: title, json: json.description, lists: content.lists, cells: cells.bytes,
      regions: PageRegions(regions).bytes, tracks: tracks?.tracks.bytes ?? [])
    guard let html = page.html else { return nil }
    let export = MapExport(
      path: "", bytes: html.count, cells: content.cells.selected.count,
      visitedRegions: regions.count, tracks: tracks?.tracks.count ?? 0,
      precision: precision, notes: notes)
    return (html, export)
  }
}

extension ColorTheme {
  /// The theme as JSON: its names, and its colors by scheme and token.
  var json: JSONValue {
    func colors(_ scheme: [ThemeToken: MapColor]) -> JSONValue {
      .object(
        ThemeToken.allCases.map { .init($0.rawValue, .string(scheme[$0]?.text)) })
    }
    return [
      "name": .string(name), "title": .string(title), "light": colors(light), "dark": colors(dark),
    ]
  }
}
