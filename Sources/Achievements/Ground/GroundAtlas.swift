import Geodesy

/// The continents and islands of regions and countries: what the geodata does not have.
package struct GroundAtlas: Sendable {
  /// The continent of a region, or its two continents with the line between them.
  package struct Division: Sendable {
    /// The continent, or the one west of the line.
    package let continent: Continent
    /// The continent east of the line; nil if the region lies on one.
    package let east: Continent?
    /// Latitude and longitude in degrees, from south to north.
    let line: [(latitude: Double, longitude: Double)]

    /// The continent at a coordinate of the region.
    package func continent(at coordinate: Coordinate) -> Continent {
      guard let east, let first = line.first, let last = line.last else { return continent }
      let (latitude, longitude) = (coordinate.latitudeDegrees, coordinate.longitudeDegrees)
      var border = latitude < first.latitude ? first.longitude : last.longitude
      for (low, high) in zip(line, line.dropFirst())
      where latitude >= low.latitude && latitude < high.latitude {
        let share = (latitude - low.latitude) / (high.latitude - low.latitude)
        border = low.longitude + share * (high.longitude - low.longitude)
      }
      return longitude < border ? continent : east
    }
  }

  /// The divisions that differ from those of their country, by ISO 3166-2 code.
  package let divisions: [String: Division]
  /// The number of the island of a country or region, from 1, by ISO code.
  package let islands: [String: UInt16]
  /// The names of the islands, in English: that of island 1 comes first.
  package let islandNames: [String]

  /// The atlas that is linked into the program. It is empty if the program was linked with damaged
  /// files, which the tests rule out.
  package static let bundled: GroundAtlas =
    (try? GroundAtlas(
      continents: LinkedFile.text("continents.csv"), islands: LinkedFile.text("islands.csv")))
    ?? GroundAtlas()

  private init() { (divisions, islands, islandNames) = ([:], [:], []) }

  /// Reads an atlas from the texts of `continents.csv` and `islands.csv`.
  ///
  /// - Throws: ``CatalogError`` with the file, the line and the reason.
  package init(continents: String, islands: String) throws(CatalogError) {
    var divisions: [String: Division] = [:]
    let table = DataLines(continents, file: "continents.csv")
    for (number, row) in try table.rows(columns: ["code", "continent", "east", "line"]) {
      guard let continent = Continent(rawValue: row[1]) else {
        throw table.error(number, "there is no continent \"\(row[1])\"")
      }
      let east = Continent(rawValue: row[2])
      var line: [(latitude: Double, longitude: Double)] = []
      for point in row[3].split(separator: ";") {
        let parts = point.split(separator: " ").compactMap { Double($0) }
        guard parts.count == 2, abs(parts[0]) <= 90, abs(parts[1]) <= 180,
          line.last.map({ $0.latitude < parts[0] }) ?? true
        else { throw table.error(number, "\"\(point)\" is no position north of the one before") }
        line.append((parts[0], parts[1]))
      }
      guard (east == nil) == row[2].isEmpty, (east == nil) == line.isEmpty else {
        throw table.error(number, "a region on two continents needs both and a line")
      }
      let division = Division(continent: continent, east: east, line: line)
      guard divisions.updateValue(division, forKey: row[0]) == nil else {
        throw table.error(number, "\(row[0]) comes twice")
      }
    }
    var (numbers, names) = ([String: UInt16](), [String]())
    let list = DataLines(islands, file: "islands.csv")
    for (number, row) in try list.rows(columns: ["name", "codes"]) {
      names.append(row[0])
      let codes = row[1].split(separator: " ").map(String.init)
      guard !codes.isEmpty else { throw list.error(number, "the codes are missing") }
      for code in codes {
        guard numbers.updateValue(UInt16(names.count), forKey: code) == nil else {
          throw list.error(number, "\(code) comes twice")
        }
      }
    }
    (self.divisions, self.islands, islandNames) = (divisions, numbers, names)
  }
}
