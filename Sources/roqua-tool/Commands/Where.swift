import ArgumentParser
import Foundation
import Geocode
import Geodesy
import Roqua

struct Where: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tell the country, region, city and time zone of a point, offline.",
    discussion: """
      Needs no store. With --batch it reads lines `lat,lon` from standard input and answers each on a line.
      Examples: roqua where 41.0082 28.9784; printf '48.57,7.80\\n-33.9,18.4\\n' | roqua where --batch
      """)

  @Argument(help: "Latitude in degrees, -90 to 90; south is negative.")
  var latitude: Degrees?

  @Argument(help: "Longitude in degrees, -180 to 180; west is negative.")
  var longitude: Degrees?

  @Flag(help: "Read `lat,lon` lines from standard input.")
  var batch = false

  @Flag(help: "Answer in JSON; with --batch one object a line.")
  var json = false

  func validate() throws {
    if batch {
      guard latitude == nil else { throw ValidationError("--batch takes no coordinates as arguments.") }
    } else {
      guard let latitude, let longitude else { throw ValidationError("Give a latitude and a longitude.") }
      try Position.check(latitude: latitude, longitude: longitude)
    }
  }

  func run() throws {
    try Console.reportingErrors {
      let geocoder = try Geocoder.bundled
      if batch { return try answerBatch(geocoder) }
      guard let latitude, let longitude else { return }
      let coordinate = try Coordinate(
        latitudeDegrees: latitude.value, longitudeDegrees: longitude.value)
      let place = geocoder.place(at: coordinate)
      if json {
        Console.print(place.json(at: coordinate))
      } else {
        Self.describe(place).forEach(Console.print)
      }
    }
  }

  private static func describe(_ place: Place) -> [String] {
    let rows: [(String, String?)] = [
      (
        "country",
        CountryWording.current.text(code: place.countryCode, name: place.country).map { name in
          place.countryCode.map { "\(name) (\($0))" } ?? name
        }
      ),
      ("region", place.region), ("district", place.district),
      (
        "city",
        place.city.map { city in
          place.cityDistanceMeters.map { "\(city), \(Wording.distance($0)) from its centre" } ?? city
        }
      ),
      ("time zone", place.timeZone),
    ]
    var table = Table([.left, .left])
    for (name, value) in rows { if let value { table.add([name, Console.safe(value)]) } }
    let lines = table.lines()
    return lines.isEmpty ? ["no place: at sea, or in no country"] : lines
  }

  /// Answers each line that is not blank with a line, so that answers can be matched with questions; and all that has come
  /// before it waits for more.
  private func answerBatch(_ geocoder: Geocoder) throws {
    var (number, answers, failures) = (0, 0, 0)
    let lines = InputLines()
    while let line = lines.next(beforeWaiting: Console.flush) {
      number += 1
      if line.allSatisfy(\.isWhitespace) { continue }
      guard let coordinate = Self.coordinate(in: line) else {
        failures += 1
        Console.printError("roqua: line \(number): not a latitude and a longitude, joined by a comma")
        Console.printBuffered(json ? "null" : "")
        continue
      }
      answers += 1
      let place = geocoder.place(at: coordinate)
      Console.printBuffered(json ? place.json(at: coordinate).description : Self.row(place))
    }
    Console.flush()
    if failures > 0 { throw ExitCode(answers > 0 ? 2 : 1) }
  }

  /// `lat,lon`, also with blanks or a tab between.
  private static func coordinate(in line: String) -> Coordinate? {
    let parts = line.split { $0 == "," || $0 == ";" || $0.isWhitespace }
    guard parts.count == 2, let latitude = Double(parts[0]), let longitude = Double(parts[1]),
      abs(latitude) <= 90, abs(longitude) <= 180
    else { return nil }
    return try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  /// Country code, region, district, city and time zone, with tabs between.
  private static func row(_ place: Place) -> String {
    [place.countryCode, place.region, place.district, place.city, place.timeZone]
      .map { $0 ?? "" }.joined(separator: "\t")
  }
}
