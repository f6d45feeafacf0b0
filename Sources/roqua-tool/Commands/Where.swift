import ArgumentParser
import Foundation
import Geocode
import Geodesy
import Roqua

struct Where: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tell the country, region, city and time zone of a point, offline.",
    discussion: """
      Needs no store. A position may also be a geo: URI or a link of a map site; the latitude comes \
      first unless letters say otherwise.

      With --batch it reads a position a line from standard input and answers each, blank lines \
      too, with one line: country code, region, district, city and time zone, separated by tabs, \
      or an object with --json. A blank line gets an empty one, or null. So does a line that is \
      not a position; an error names it, and the exit status is 2.

      Examples: roqua where 41.0082 28.9784; \
      printf '48.57,7.80\\n-33.9,18.4\\n' | roqua where --batch
      """)

  @Argument(help: Position.help)
  var position: [String] = []

  @Flag(help: "Read a position a line from standard input: 48.8,2.3 and the other forms.")
  var batch = false

  @Flag(help: "Answer in JSON; with --batch one object a line.")
  var json = false

  func validate() throws {
    if batch {
      guard position.isEmpty else {
        throw ValidationError("--batch takes no coordinates as arguments.")
      }
    } else {
      _ = try Position.coordinate(position)
    }
  }

  func run() throws {
    try Console.reportingErrors {
      let geocoder = try Geocoder.bundled
      if batch { return try answerBatch(geocoder) }
      let coordinate = try Position.coordinate(position)
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
          place.cityDistanceMeters.map { "\(city), \(Wording.distance($0)) from its centre" }
            ?? city
        }
      ),
      ("time zone", place.timeZone),
    ]
    var table = Table([.left, .left])
    for (name, value) in rows { if let value { table.add([name, value]) } }
    let lines = table.lines()
    return lines.isEmpty ? ["no place: at sea, or in no country"] : lines
  }

  /// Answers each line with one line, so that answers can be matched with questions; and all that
  /// has come before it waits for more.
  private func answerBatch(_ geocoder: Geocoder) throws {
    var (number, answers, failures) = (0, 0, 0)
    var written = PlaceLines(geocoder: geocoder, isJSON: json)
    func write() {
      Console.print(written)
      written.removeAll()
    }
    func fail(_ reason: String) {
      failures += 1
      Console.printError("roqua: \(reason)")
    }
    let lines = InputLines()
    do {
      while let line = try lines.next(beforeWaiting: write) {
        number += 1
        switch line {
        case .bytes(let bytes):
          if let coordinate = PlainPosition.coordinate(in: bytes) {
            answers += 1
            written.append(coordinate)
          } else if bytes.allSatisfy(PlainPosition.isBlank) {
            written.appendNothing()
          } else {
            do throws(CoordinateTextError) {
              let coordinate = try Coordinate(text: String(decoding: bytes, as: UTF8.self))
              answers += 1
              written.append(coordinate)
            } catch {
              written.appendNothing()
              fail("line \(number): \(error)")
            }
          }
        case .tooLong:
          written.appendNothing()
          fail("line \(number): longer than \(InputLines.longestLine) bytes")
        }
        if written.bytes.count >= 1 << 16 { write() }
      }
    } catch {
      fail("standard input cannot be read: \(String(cString: strerror(error.code)))")
    }
    write()
    if failures > 0 { throw ExitCode(answers > 0 ? 2 : 1) }
  }
}
