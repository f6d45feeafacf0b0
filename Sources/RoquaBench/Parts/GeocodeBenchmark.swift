import Foundation
import Geocode
import Geodesy
import SeededRandom

/// Positions into places: on land, where people live, and along tracks.
struct GeocodeBenchmark {
  /// Lookups timed together.
  private static let batch = 1_000
  /// Lookups by a scan of every city, at about 0.2 ms each.
  private static let fewLookups = 200

  let geocoder: Geocoder
  /// Uniform by area on land.
  let land: [Coordinate]
  /// A city drawn by its population, moved by up to 0.1° each way.
  let people: [Coordinate]
  /// Simulated tracks, each starting where people live.
  let tracks: [Coordinate]

  init(seed: UInt64, lookups: Int = 200_000) throws {
    geocoder = try Geocoder.bundled
    var random = SplitMix64(seed: seed)
    land = Self.land(lookups, geocoder, using: &random)
    people = Self.people(lookups, geocoder, using: &random)
    tracks = Self.tracks(from: people.prefix(max(1, lookups / 500)), using: &random)
  }

  /// Times lookups, in `rounds` over all positions.
  ///
  /// - Throws: ``BenchmarkError`` if an answer differs from that of a scan of every city.
  func run(rounds: Int = 3) throws -> [Measurement] {
    try check()
    let geocoder = geocoder
    var measurements: [Measurement] = []
    func measure(_ question: String, _ points: [Coordinate], _ ask: (Coordinate) -> Int) -> Sample {
      let times = (0..<rounds).flatMap { _ in time(points, ask) }
      let sample = Sample(times)
      measurements.append(
        Measurement(.geocode, question, "Roqua", unit: "lookup", sample, ratio: nil))
      return sample
    }
    _ = measure("country, on land", land) { Int(geocoder.countryIndex(at: $0)?.rawValue ?? 0) }
    _ = measure("country, in populated places", people) {
      Int(geocoder.countryIndex(at: $0)?.rawValue ?? 0)
    }
    _ = measure("whole place as codes, on land", land) {
      Int(geocoder.codes(at: $0).city?.rawValue ?? 0)
    }
    _ = measure("whole place as text, in populated places", people) {
      geocoder.place(at: $0).city?.utf8.count ?? 0
    }
    let lists = Sample(
      (0..<max(rounds, 3)).map { _ in
        let (seconds, places) = Clock.wallSeconds { [people] in geocoder.places(at: people) }
        return seconds / Double(max(1, places.count))
      })
    measurements.append(
      Measurement(
        .geocode, "whole places as text, in populated places, a list, wall-clock time", "Roqua",
        unit: "lookup", lists, ratio: nil))
    _ = measure("time zone as text, in populated places", people) {
      geocoder.timeZone(at: $0)?.utf8.count ?? 0
    }
    var track = TrackGeocoder(geocoder)
    _ = measure("whole place as codes, along tracks", tracks) {
      Int(track.codes(at: $0).city?.rawValue ?? 0)
    }
    let question = "whole place as codes, in populated places"
    let ours = measure(question, people) { Int(geocoder.codes(at: $0).city?.rawValue ?? 0) }
    let cities = CityList(geocoder)
    let few = people.prefix(Self.fewLookups)
    let theirs = Sample(
      few.map { point in
        let start = Clock.processorSeconds()
        _ = geocoder.countryIndex(at: point).map { cities.city(at: point, in: $0) }
        return Clock.processorSeconds() - start
      })
    if let last = measurements.popLast() {
      measurements.append(
        Measurement(.geocode, question, last.contender, unit: "lookup", ours, ratio: 1))
    }
    measurements.append(
      Measurement(
        .geocode, question, "scan of every city of the country", unit: "lookup", theirs,
        ratio: theirs.median / ours.median))
    return measurements
  }

  /// Writes the positions where people live, one per line: latitude, longitude, the country's code
  /// or nothing, and the time zone or nothing.
  func writeAnswers(to path: String) throws {
    let lines = people.map { point in
      let code = geocoder.countryIndex(at: point)?.code ?? ""
      let zone = geocoder.timeZone(at: point) ?? ""
      return "\(point.latitudeDegrees)\t\(point.longitudeDegrees)\t\(code)\t\(zone)\n"
    }
    try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: path))
  }

  private func time(_ points: [Coordinate], _ ask: (Coordinate) -> Int) -> [Double] {
    var times: [Double] = []
    var sum = 0
    for first in stride(from: 0, to: points.count, by: Self.batch) {
      let batch = points[first..<min(points.count, first + Self.batch)]
      let start = Clock.processorSeconds()
      for point in batch { sum &+= ask(point) }
      times.append((Clock.processorSeconds() - start) / Double(batch.count))
    }
    // Without a reader, the compiler could leave out the sum.
    withExtendedLifetime(sum) {}
    return times
  }

  /// Compares the lookups with each other, and cities with a scan of every city of the country.
  private func check() throws {
    var track = TrackGeocoder(geocoder)
    for point in tracks {
      let codes = geocoder.codes(at: point)
      guard track.codes(at: point) == codes, geocoder.countryIndex(at: point) == codes.country
      else {
        throw BenchmarkError("Lookups of \(point) give different places.")
      }
    }
    let cities = CityList(geocoder)
    for point in people.prefix(Self.fewLookups) {
      guard let country = geocoder.countryIndex(at: point) else { continue }
      let found = geocoder.codes(at: point).city
      guard cities.accepts(found, at: point, in: country) else {
        throw BenchmarkError("The city of \(point) differs from the result of scanning every city.")
      }
    }
  }

  private static func land(
    _ count: Int, _ geocoder: Geocoder, using random: inout SplitMix64
  ) -> [Coordinate] {
    var points: [Coordinate] = []
    while points.count < count {
      let latitude = asin(Double.random(in: -1...1, using: &random)) * 180 / .pi
      let longitude = Double.random(in: -180..<180, using: &random)
      if let point = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude),
        geocoder.isLand(at: point)
      {
        points.append(point)
      }
    }
    return points
  }

  private static func people(
    _ count: Int, _ geocoder: Geocoder, using random: inout SplitMix64
  ) -> [Coordinate] {
    var sums: [Int] = []
    var sum = 0
    for number in 0..<geocoder.cityCount {
      sum += geocoder.city(number).map(geocoder.population(of:)) ?? 0
      sums.append(sum)
    }
    var points: [Coordinate] = []
    while points.count < count {
      let wanted = Int.random(in: 1...max(1, sum), using: &random)
      let number = sums.partitioningIndex { $0 >= wanted }
      guard let center = geocoder.city(number).flatMap(geocoder.coordinate(of:)) else { break }
      let stretch = max(0.05, cos(center.latitudeDegrees * .pi / 180))
      if let point = try? Coordinate(
        latitudeDegrees: max(
          -90, min(90, center.latitudeDegrees + .random(in: -0.1...0.1, using: &random))),
        longitudeDegrees: center.longitudeDegrees + .random(in: -0.1...0.1, using: &random)
          / stretch)
      {
        points.append(point)
      }
    }
    return points
  }

  private static func tracks(
    from starts: some Sequence<Coordinate>, using random: inout SplitMix64
  ) -> [Coordinate] {
    starts.flatMap { start in
      SimulatedTracks.track(from: start, using: &random)
    }
  }
}

extension Array {
  /// The first index whose element meets a condition that all later elements meet too; the count if
  /// none does.
  func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
