import Foundation
import GeoStore
import Geocode
import Geodesy
import GridHash

/// The cells of one tile that have the same place and the same answer to whether they are land.
struct TilePart {
  let place: PlaceKey
  let isLand: Bool
  var tile = Tile()
}

/// Divides tiles by the answers at the centers of their cells. The answers are those of
/// ``PlaceKey/init(at:level:geocoder:)`` and ``Geocoder/isLand(at:)``, but polygons are evaluated
/// row by row rather than cell by cell.
struct TileCutter {
  /// True to leave out cells that are not land and, for cities, those outside of the city's limits.
  let isLandOnly: Bool
  private let grid: Grid
  private let geocoder: Geocoder
  private let level: PlaceLevel?
  private var parallel: GroundAlongParallel
  private var track: TrackGeocoder
  private var limits: CityLimits
  private var centers = TileCenters()

  init(grid: Grid, geocoder: Geocoder, level: PlaceLevel?, isLandOnly: Bool) {
    self.grid = grid
    self.geocoder = geocoder
    self.level = level
    self.isLandOnly = isLandOnly
    let detail: GroundAlongParallel.Detail =
      switch level {
      case nil, .city: .land
      case .country: .country
      case .region: .region
      }
    parallel = GroundAlongParallel(geocoder, detail)
    track = TrackGeocoder(geocoder)
    limits = CityLimits(geocoder: geocoder)
  }

  /// The parts of a tile, none of them empty.
  mutating func parts(of tile: Tile, at key: Int64) -> [TilePart] {
    centers.move(to: key, grid: grid)
    var parts = PartList()
    for (label, cells) in labels(of: tile) {
      if level == .city {
        cutByCity(cells, isLand: label.isLand, into: &parts)
      } else if level == .region, label.asksNearestPlace, let country = label.country {
        cutByNearestPlace(cells, label, country, into: &parts)
      } else {
        parts.add(
          cells, place: PlaceKey(country: label.country, region: label.region), isLand: label.isLand
        )
      }
    }
    return parts.parts
  }

  /// Divides a tile by the labels of the polygons.
  private mutating func labels(of tile: Tile) -> [(label: GroundLabel, cells: Tile)] {
    var found: [(label: GroundLabel, cells: Tile)] = []
    var last = 0  // neighbors mostly have the same label
    let landOnly = isLandOnly
    let centers = centers
    // Sound: `low` and `high` are numbers of bits, below the 64 longitudes.
    centers.longitudesE7.withUnsafeBufferPointer { longitudes in
      for row in 0..<64 {
        let bits = tile[row: row]
        if bits == 0 { continue }
        let (low, high) = (bits.trailingZeroBitCount, 63 - bits.leadingZeroBitCount)
        parallel.forEachStretch(
          latitudeE7: centers.latitudesE7[row],
          longitudesE7: UnsafeBufferPointer(rebasing: longitudes[low...high])
        ) { points, label in
          if landOnly, !label.isLand { return }
          let ones: UInt64 = points.count == 64 ? ~0 : (1 << UInt64(points.count)) - 1
          let mask = bits & ones << UInt64(low + points.lowerBound)
          if mask == 0 { return }
          if last >= found.count || found[last].label != label {
            last = found.firstIndex { $0.label == label } ?? found.count
            if last == found.count { found.append((label, Tile())) }
          }
          found[last].cells[row: row] |= mask
        }
      }
    }
    return found
  }

  // MARK: Cell by cell

  /// The rows and columns of a block. Places are gathered once per block.
  private static let blockSide = 16
  /// The largest useful radius of a block: larger ones have too many places around them.
  private static let largestRadiusMeters = 5_000.0

  /// Assigns cells that polygons do not decide to the region of the nearest place.
  private func cutByNearestPlace(
    _ cells: Tile, _ label: GroundLabel, _ country: CountryIndex, into parts: inout PartList
  ) {
    let side = Self.blockSide
    for blockRow in stride(from: 0, to: 64, by: side) {
      let rows = blockRow..<blockRow + side
      let all = rows.reduce(0) { $0 | cells[row: $1] }
      for blockColumn in stride(from: 0, to: 64, by: side) {
        let block: UInt64 = ((1 << UInt64(side)) - 1) << UInt64(blockColumn)
        if all & block == 0 { continue }
        let center = centers.coordinate(row: blockRow + side / 2, column: blockColumn + side / 2)
        let radius = radiusMeters(ofBlockAround: center)
        let nearest =
          radius > Self.largestRadiusMeters
          ? nil : NearestRegions(geocoder, around: center, radiusMeters: radius, in: country)
        for row in rows {
          let bits = cells[row: row] & block
          if bits == 0 { continue }
          if let nearest, nearest.isUniform {
            let region = nearest.region(at: center, fallback: label.region)
            parts.add(
              bits, row: row, place: PlaceKey(country: country, region: region),
              isLand: label.isLand)
            continue
          }
          Self.forEachBit(of: bits) { bit in
            let coordinate = centers.coordinate(row: row, column: bit)
            let region =
              nearest.map { $0.region(at: coordinate, fallback: label.region) }
              ?? geocoder.countryAndRegion(at: coordinate).region
            parts.add(
              1 << UInt64(bit), row: row, place: PlaceKey(country: country, region: region),
              isLand: label.isLand)
          }
        }
      }
    }
  }

  /// The radius around a block's middle that contains the centers of all its cells: half the
  /// diagonal, measured at the end of the block that is nearer to the equator. A degree is nowhere
  /// longer than 111.7 km.
  private func radiusMeters(ofBlockAround center: Coordinate) -> Double {
    let half = Double(Self.blockSide / 2) * grid.stepDegrees
    let latitude = max(0, abs(center.latitudeDegrees) - half)
    let wide = half * cos(latitude * .pi / 180)
    return (half * half + wide * wide).squareRoot() * 111_700
  }

  /// Assigns cells to cities. Cells in one square of 0.01° are processed in sequence, since the
  /// geocoder gathers places once for each square.
  private mutating func cutByCity(_ cells: Tile, isLand: Bool, into parts: inout PartList) {
    for rows in centers.rowGroups {
      for columns in centers.columnGroups {
        for row in rows {
          Self.forEachBit(of: cells[row: row] & columns) { bit in
            let coordinate = centers.coordinate(row: row, column: bit)
            let place = PlaceKey(track.codes(at: coordinate), geocoder: geocoder)
            let isInside = isLand && (place.city.map { limits.hold(coordinate, of: $0) } ?? true)
            if isLandOnly, !isInside { return }
            parts.add(1 << UInt64(bit), row: row, place: place, isLand: isInside)
          }
        }
      }
    }
  }

  @inline(__always)
  private static func forEachBit(of bits: UInt64, _ body: (Int) -> Void) {
    var bits = bits
    while bits != 0 {
      body(bits.trailingZeroBitCount)
      bits &= bits - 1
    }
  }
}

/// A growing list of the parts of a tile.
private struct PartList {
  private(set) var parts: [TilePart] = []
  private var last = 0  // neighbors mostly have the same answer

  private mutating func find(_ place: PlaceKey, _ isLand: Bool) -> Int {
    if last >= parts.count || parts[last].place != place || parts[last].isLand != isLand {
      last = parts.firstIndex { $0.place == place && $0.isLand == isLand } ?? parts.count
      if last == parts.count { parts.append(TilePart(place: place, isLand: isLand)) }
    }
    return last
  }

  mutating func add(_ bits: UInt64, row: Int, place: PlaceKey, isLand: Bool) {
    parts[find(place, isLand)].tile[row: row] |= bits
  }

  mutating func add(_ cells: Tile, place: PlaceKey, isLand: Bool) {
    let part = find(place, isLand)
    for row in 0..<64 where cells[row: row] != 0 { parts[part].tile[row: row] |= cells[row: row] }
  }
}
