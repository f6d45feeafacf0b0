import CGazetteer
import Geodesy

/// Finds the place of a position, offline: country and time zone from polygons, exact at the
/// border; region from polygons; district, city and quarter from places inside the country.
///
/// Copies are cheap, since all share one set of packed data, which is read in place. Can be used
/// from many threads at once.
///
/// ```swift
/// let geocoder = try Geocoder.bundled
/// let codes = geocoder.codes(at: here)    // numbers, no allocation
/// let place = geocoder.names(of: codes)   // words
/// print(place.city ?? "no city", place.country ?? "no country")
/// ```
public struct Geocoder: Sendable {
  let gazetteer: Gazetteer

  /// The geocoder with the data linked into the program.
  ///
  /// Opening it reads only the headers; the tests check the rest.
  ///
  /// - Throws: ``GeocodeError`` if the program was linked with other files than its own.
  public static var bundled: Geocoder {
    get throws(GeocodeError) { try shared.get() }
  }

  private static let shared: Result<Geocoder, GeocodeError> = {
    do throws(GeocodeError) {
      return .success(
        Geocoder(
          try Gazetteer(
            boundaries: ByteOwner(linkedIn: roqua_gazetteer_boundaries()),
            regions: ByteOwner(linkedIn: roqua_gazetteer_regions()),
            land: ByteOwner(linkedIn: roqua_gazetteer_land()),
            places: ByteOwner(linkedIn: roqua_gazetteer_places()),
            names: nil, seas: nil, trust: .linkedIn)))
    } catch {
      return .failure(error)
    }
  }()

  init(_ gazetteer: Gazetteer) { self.gazetteer = gazetteer }

  /// Opens the geocoder with the files of a folder, which are mapped into memory:
  /// `boundaries.bin`, `regions.bin`, `land.bin`, `places.bin`, `names.bin`, `seas.bin`. The files
  /// must not be truncated or overwritten while they are in use; replacing one with another file of
  /// the same name is safe.
  ///
  /// - Throws: ``GeocodeError``. Every byte is checked first, so a damaged file always causes an
  ///   error.
  public init(contentsOfFolder path: String) throws(GeocodeError) {
    func owner(_ kind: GeodataKind) throws(GeocodeError) -> ByteOwner {
      try ByteOwner(mapping: path + "/" + kind.fileName)
    }
    gazetteer = try Gazetteer(
      boundaries: owner(.boundaries), regions: owner(.regions), land: owner(.land),
      places: owner(.places), names: owner(.names), seas: owner(.seas),
      trust: .outside)
  }

  /// Creates a geocoder with a copy of the bytes of the files.
  ///
  /// - Throws: ``GeocodeError``. Every byte is checked first.
  package init(
    boundaries: [UInt8], regions: [UInt8], land: [UInt8], places: [UInt8], names: [UInt8],
    seas: [UInt8], trust: Trust = .outside
  ) throws(GeocodeError) {
    gazetteer = try Gazetteer(
      boundaries: ByteOwner(copying: boundaries), regions: ByteOwner(copying: regions),
      land: ByteOwner(copying: land), places: ByteOwner(copying: places),
      names: ByteOwner(copying: names), seas: ByteOwner(copying: seas), trust: trust)
  }

  /// The date of the newest information in the boundaries, as a number: 20260315.
  public var vintage: Int { Int(gazetteer.vintage) }

  // MARK: Codes

  /// The country at a position; nil at sea beyond territorial waters and where there is none.
  ///
  /// - Complexity: O(1) away from borders, O(border points within 0.25°) near them. No allocation.
  public func countryIndex(at coordinate: Coordinate) -> CountryIndex? {
    let zone = gazetteer.boundaries.label(at: coordinate)
    return zone == 0 ? nil : CountryIndex(unchecked: gazetteer.country(ofZone: zone))
  }

  /// Returns true if a position is land. Lakes count as land.
  ///
  /// - Complexity: the same as ``countryIndex(at:)``.
  public func isLand(at coordinate: Coordinate) -> Bool {
    gazetteer.land.label(at: coordinate) != 0
  }

  /// The country, time zone, region, district, city and quarter at a position.
  ///
  /// - Complexity: the same as ``countryIndex(at:)``, plus the places within reach of the nearest
  ///   one. No allocation.
  public func codes(at coordinate: Coordinate) -> PlaceCodes {
    let (boundaries, regions) = (gazetteer.boundaries, gazetteer.regions)
    // What a lookup reads first lies in different places. All of it is requested at once, before
    // the first of it is needed.
    let boundaryPoint = CellPoint(coordinate, level: boundaries.level)
    let regionPoint = CellPoint(coordinate, level: regions.level)
    boundaries.prefetchEntry(at: boundaryPoint)
    regions.prefetchEntry(at: regionPoint)
    let start = SearchStart(coordinate)
    start.prefetch(gazetteer.places)
    let metric = LocalMetric(latitudeE7: coordinate.latitudeE7)
    let boundary = boundaries.entry(column: boundaryPoint.column, row: boundaryPoint.row)
    let region = regions.entry(column: regionPoint.column, row: regionPoint.row)
    boundaries.prefetchLines(of: boundary)
    regions.prefetchLines(of: region)

    let zone = boundaries.label(at: boundaryPoint, in: boundary)
    guard zone != 0 else { return .none }
    let country = gazetteer.country(ofZone: zone)
    let search = PlaceSearch(gazetteer.places, at: coordinate, start, in: country, metric)
    return codes(
      zone: zone, country: country, search.match(),
      region: regions.label(at: regionPoint, in: region),
      isNearestInDisc: { search.isNearestInDisc($0) })
  }

  /// The codes of many positions, in the same order.
  package func codes(at coordinates: some Sequence<Coordinate>) -> [PlaceCodes] {
    coordinates.map(codes(at:))
  }

  // MARK: Rules

  /// Combines the parts of an answer.
  @inline(__always)
  func codes(
    zone: UInt16, country: UInt16, _ match: PlaceMatch, region label: UInt16,
    isNearestInDisc: (PlaceMatch) -> Bool
  ) -> PlaceCodes {
    let places = gazetteer.places
    let region = regionRow(country: country, match, label: label)
    let nearest = match.nearest
    var codes = PlaceCodes(
      countryCode: country, zone: zone, regionRow: region, districtRow: 0,
      cityPlace: Int32(match.city), quarterPlace: -1)
    guard nearest.place >= 0 else { return codes }
    if nearest.score <= places.districtReachSquared(nearest.place),
      places.admin1Row(nearest.place) == region
    {
      codes.districtRow = places.admin2Row(nearest.place)
    }
    if places.flaggedPopulation(nearest.place) & PlacesFile.partOfCity != 0,
      nearest.score <= Self.quarterReachSquared, match.disc.place >= 0, isNearestInDisc(match)
    {
      codes.quarterPlace = Int32(nearest.place)
    }
    return codes
  }

  /// The maximum distance to the center of a quarter: 2 km, squared.
  private static let quarterReachSquared = 2_000.0 * 2_000

  /// The region: that of the polygons, otherwise that of the nearest place.
  @inline(__always)
  func regionRow(country: UInt16, _ match: PlaceMatch, label: UInt16) -> UInt16 {
    let answer = gazetteer.regionAnswer(country: country, label: label)
    guard answer.asksNearestPlace, match.nearestCity.place >= 0 else { return answer.row }
    return gazetteer.places.admin1Row(match.nearestCity.place)
  }
}
