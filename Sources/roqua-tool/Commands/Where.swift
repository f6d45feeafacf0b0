import ArgumentParser
import ByteStreams
import Foundation
import Geocode
import Geodesy
import Roqua
import TrackIngest

struct Where: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "where",
    abstract: "Look up the country, region, city and time zone of a point, offline.",
    discussion: """
      Does not need a store. At sea, the command names the sea and whose territorial waters it is. \
      A position can also be a geo: URI or a link to a map site. The \
      latitude comes first unless N, S, E or W are given.

      --batch reads one position per line from standard input and prints one line for each: \
      country code, region, district, city, time zone, sea and quarter, separated by tabs, or a \
      JSON object with --json. A blank line, or one without a valid position, gets an empty line \
      or null; the latter is also an error, and the exit status is 2.

      --csv reads a table, plain or compressed with gzip, and prints it with the columns \
      country_code, country, region_code, region, district, city, quarter, time_zone and sea added \
      to each row; - is standard input. On a terminal, control characters of the table are printed \
      as \\u{…}. \
      Columns of latitude and longitude are found by their names, as roqua import finds them. Rows \
      without a valid position get empty columns; invalid ones are errors, and the exit status is 2.

      Examples:
        roqua where 41.0082 28.9784
        printf '48.57,7.80\\n-33.9,18.4\\n' | roqua where --batch
        roqua where --csv hotels.csv > hotels-with-places.csv
        roqua where --csv stops.csv --lat-column Y --lon-column 4
      """)

  @Argument(help: Position.help)
  var position: [String] = []

  @Flag(help: "Read one position per line from standard input.")
  var batch = false

  @Flag(help: "Print JSON; with --batch, one object per line.")
  var json = false

  @Option(
    help: ArgumentHelp("Add the place of each row to this table.", valueName: "file"),
    completion: .file(extensions: ["csv", "tsv"]))
  var csv: String?

  @Option(
    help: ArgumentHelp(
      "Read latitudes of --csv from this column: a name, or a number from 1.",
      valueName: "column"))
  var latColumn: TableColumns.Column?

  @Option(
    help: ArgumentHelp(
      "Read longitudes of --csv from this column: a name, or a number from 1.",
      valueName: "column"))
  var lonColumn: TableColumns.Column?

  @OptionGroup var language: LanguageArguments

  func validate() throws {
    if csv == nil, latColumn != nil || lonColumn != nil {
      throw ValidationError("--lat-column and --lon-column need --csv.")
    }
    if let latColumn, latColumn == lonColumn {
      throw ValidationError("--lat-column and --lon-column are the same column.")
    }
    if csv != nil {
      guard position.isEmpty, !batch, !json else {
        throw ValidationError("--csv cannot be combined with a position, --batch or --json.")
      }
    } else if batch {
      guard position.isEmpty else {
        throw ValidationError("--batch cannot be combined with a position.")
      }
    } else {
      _ = try Position.coordinate(position)
    }
  }

  func run() throws {
    try Console.reportingErrors {
      let geocoder = try Geocoder.bundled
      if batch { return try answerBatch(geocoder) }
      if let csv {
        let columns = TableColumns(latitude: latColumn, longitude: lonColumn)
        let locale = PlaceWording.isChosen ? PlaceWording.current.locale : nil
        return try PlaceTable(path: NegativeNumbers.original(csv), columns, geocoder, locale)
          .print()
      }
      let coordinate = try Position.coordinate(position)
      // JSON is in English unless a language was named.
      let locale = !json || PlaceWording.isChosen ? PlaceWording.current.locale : nil
      let place =
        locale.map { geocoder.place(at: coordinate, locale: $0) } ?? geocoder.place(at: coordinate)
      if json {
        Console.print(place.json(at: coordinate))
      } else {
        CurrentUnits.use { try StoreArguments.parse([]).open(creating: false) }
        Self.describe(place).forEach(Console.print)
      }
    }
  }

  private static func describe(_ place: Place) -> [String] {
    let rows: [(String, String?)] = [
      ("sea", SeaWording.text(place, PlaceWording.current)),
      (
        "country",
        PlaceWording.current.text(code: place.countryCode, name: place.country).map { name in
          place.countryCode.map { "\(name) (\($0))" } ?? name
        }
      ),
      (
        "region",
        place.region.map { name in place.regionCode.map { "\(name) (\($0))" } ?? name }
      ),
      ("district", place.district),
      (
        "city",
        place.city.map { city in
          place.cityDistanceMeters.map { "\(city), \(Wording.distance($0)) from its center" }
            ?? city
        }
      ),
      ("quarter", place.quarter.map { "\($0) (nearest)" }),
      ("time zone", place.timeZone),
    ]
    var table = Table([.left, .left])
    for (name, value) in rows { if let value { table.add([name, value]) } }
    let lines = table.lines()
    return lines.isEmpty ? ["no place found (in no country)"] : lines
  }

  /// Answers each line with one line, so that answers can be matched with questions; and all that
  /// has come before it waits for more.
  private func answerBatch(_ geocoder: Geocoder) throws {
    var (number, answers, failures) = (0, 0, 0)
    let locale = PlaceWording.isChosen ? PlaceWording.current.locale : nil
    let written = PlaceAnswers(geocoder: geocoder, form: json ? .json : .text, locale: locale)
    func fail(_ reason: String) {
      failures += 1
      written.write()
      Console.printError("roqua: \(reason)")
    }
    let lines = InputLines()
    do {
      while let line = try lines.next(beforeWaiting: written.write) {
        number += 1
        switch line {
        case .bytes(let bytes):
          if let coordinate = PlainPosition.coordinate(in: bytes) {
            answers += 1
            written.add(.place(coordinate))
          } else if bytes.allSatisfy(PlainPosition.isBlank) {
            written.add(.nothing)
          } else {
            do throws(CoordinateTextError) {
              let coordinate = try Coordinate(text: String(decoding: bytes, as: UTF8.self))
              answers += 1
              written.add(.place(coordinate))
            } catch {
              written.add(.nothing)
              fail("line \(number): \(error)")
            }
          }
        case .tooLong:
          written.add(.nothing)
          fail("line \(number): longer than \(InputLines.longestLine) bytes")
        }
      }
    } catch {
      fail("standard input cannot be read: \(String(cString: strerror(error.code)))")
    }
    written.write()
    if failures > 0 { throw ExitCode(answers > 0 ? 2 : 1) }
  }
}
