import BenchmarkSupport
import Geocode
import Geodesy

// geocode-benchmark first          milliseconds to the first answer of this process
// geocode-benchmark memory         resident memory after a million lookups all over the Earth
// geocode-benchmark speed          lookups per second on one core
// geocode-benchmark points FILE    writes the positions of `people`, for a competitor
// `Benchmarks/geocode/compare.py` calls it and makes the table.

let arguments = CommandLine.arguments.dropFirst()
let pointCount = 1_000_000

func say(_ name: String, _ value: Double) { say("\(name)\t\(value)") }

switch arguments.first {
case "first":
  var city: String?
  let seconds = try Clock.wallSeconds {
    let point = try Coordinate(latitudeDegrees: 48.486, longitudeDegrees: 13.438)
    city = try Geocoder.bundled.place(at: point).city
  }
  say("first", seconds * 1000)
  check(city == "Vornbach", "the place of the first lookup")

case "memory":
  say("memory before", Double(peakResidentBytes()) / 1e6)
  let geocoder = try Geocoder.bundled
  var random = SplitMix64(seed: 5)
  var answered = (codes: 0, words: 0)
  func anywhere() throws -> Coordinate {
    try Coordinate(
      latitudeDegrees: arcSineDegrees(Double.random(in: -1...1, using: &random)),
      longitudeDegrees: Double.random(in: -180..<180, using: &random))
  }
  for _ in 0..<pointCount {
    if geocoder.codes(at: try anywhere()) != .none { answered.codes += 1 }
  }
  say("memory codes", Double(peakResidentBytes()) / 1e6)
  for _ in 0..<pointCount {
    if geocoder.place(at: try anywhere()).countryCode != nil { answered.words += 1 }
  }
  say("memory words", Double(peakResidentBytes()) / 1e6)
  if let heap = anonymousResidentBytes() { say("memory of no file", Double(heap) / 1e6) }
  // Land is 29 % of the Earth, and territorial waters are about 4 %.
  for count in [answered.codes, answered.words] {
    let share = Double(count) / Double(pointCount)
    check((0.3...0.36).contains(share), "the share of the Earth that has a country")
  }

case "speed":
  let geocoder = try Geocoder.bundled
  let kinds: [(String, [Coordinate])] = [
    ("globe", Points.globe(pointCount)), ("land", Points.land(pointCount, geocoder)),
    ("people", Points.people(pointCount, geocoder)),
    ("tracks", Points.tracks(pointCount, geocoder)),
  ]
  for (kind, points) in kinds {
    let country = Rates.countries(points, geocoder)
    let place = Rates.places(points, geocoder)
    let track = Rates.track(points, geocoder)
    check(place.sum == track.sum, "places along \(kind)")
    say("country \(kind)", country)
    say("place \(kind)", place.rate)
    if kind == "tracks" { say("along tracks", track.rate) }
    if kind == "people" {
      say("words people", Rates.words(points, geocoder))
      say("time zone people", Rates.timeZones(points, geocoder))
    }
  }

case "points":
  let geocoder = try Geocoder.bundled
  let points = Points.people(pointCount, geocoder).map { ($0.latitudeDegrees, $0.longitudeDegrees) }
  check(write(points, to: arguments.dropFirst().first ?? "points.bin"), "writing the positions")

default:
  fail("Usage: geocode-benchmark first | memory | speed | points FILE", exitStatus: 64)
}
