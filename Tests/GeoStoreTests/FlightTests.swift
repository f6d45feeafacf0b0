import Geodesy
import TestSupport
import Testing

@testable import GeoStore

/// Kept fixes in flight: what they leave out, and the flights that a store returns.
@Suite struct FlightTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(_ name: String = "s.sqlite") throws -> Store {
    try Store(path: folder.file(name), creating: true)
  }

  /// A wandering track of which some parts are in flight.
  private func track(homes: [Coordinate], using random: inout SplitMix64) -> [KeptFix] {
    var track = wanderingTrack(count: 200, homes: homes, using: &random)
    var isInFlight = false
    for index in track.indices {
      if Int.random(in: 0..<15, using: &random) == 0 { isInFlight.toggle() }
      track[index].isInFlight = isInFlight
      track[index].endsFlightLeg = isInFlight
    }
    return track
  }

  @Test(arguments: Seeds.sample(16))
  func `fixes in flight explore nothing, before and after forgetting, a zone and a rebuild`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let homes = Array(awkwardHomes.shuffled(using: &random).prefix(2))
    let tracks = (0..<4).map { _ in track(homes: homes, using: &random) }
    let store = try store()
    for (index, track) in tracks.enumerated() { try store.add(track, as: "\(index)") }

    func expectOnlyGround(of tracks: [[KeptFix]], _ name: String) throws {
      let ground = try self.store(name)
      for (index, track) in tracks.enumerated() {
        try ground.add(track.filter { !$0.isInFlight }, as: "\(index)")
      }
      let (found, expected) = (try StoreContents(store), try StoreContents(ground))
      #expect(found.regions == expected.regions, "\(name)")
      #expect(found.coverage == expected.coverage, "\(name)")
      #expect(found.keptFixes.count == tracks.reduce(0) { $0 + $1.count }, "\(name)")
      let check = try store.check()
      #expect(check.isSound, "\(name): \(check.steps.flatMap(\.differences))")
    }
    try expectOnlyGround(of: tracks, "all")
    try store.write { try $0.rebuild() }
    try expectOnlyGround(of: tracks, "rebuilt")
    _ = try store.forget(sources: ["2"])
    let left = [tracks[0]] + tracks[2...]
    try expectOnlyGround(of: left, "forgotten")
    let zone = PrivacyZone(
      center: homes[0].randomNeighbor(within: 100, using: &random),
      radiusMeters: .random(in: 50...600, using: &random))
    _ = try store.forget(in: zone)
    try expectOnlyGround(of: left.map { $0.filter { !zone.contains($0.coordinate) } }, "zone")
  }

  @Test func `the setting flightsExplore rebuilds in the same transaction, and back`() throws {
    var random = SplitMix64(seed: 5)
    let flown = track(homes: [awkwardHomes[1]], using: &random)
    let (store, like) = (try store(), try store("like.sqlite"))
    try store.add(flown, as: "a")
    try like.add(
      flown.map {
        KeptFix(
          coordinate: $0.coordinate, time: $0.time, accuracyMeters: $0.accuracyMeters,
          startsSegment: $0.startsSegment)
      }, as: "a")
    let before = try StoreContents(store)
    try store.write { try $0.set(.flightsExplore, to: 1) }
    #expect(try StoreContents(store).regions == StoreContents(like).regions)
    #expect(try StoreContents(store).coverage == StoreContents(like).coverage)
    #expect(try store.check().isSound)
    #expect(before.regions != (try StoreContents(store).regions))
    try store.write { try $0.reset(.flightsExplore) }
    #expect(try StoreContents(store) == before)
    for value in [-1, 0.5, 2] {
      #expect(throws: StoreError.self) {
        try store.write { try $0.set(.flightsExplore, to: value) }
      }
    }
  }

  // MARK: - Flights

  /// Fixes every `seconds` at 200 m/s to the east, from `start` seconds on; all but the first one
  /// end a leg, and all but the ends are in the air.
  private func flight(
    from start: Int, count: Int, everySeconds seconds: Int = 60, latitude: Double = 50
  ) -> [KeptFix] {
    (0..<count).map { index in
      KeptFix(
        coordinate: Coordinate(latitude, Double(index * seconds) * 200 / 71_700),
        time: Timestamp(
          millisecondsSince1970: 1_700_000_000_000 + Int64(start + index * seconds) * 1_000),
        accuracyMeters: 5, startsSegment: index == 0, isInFlight: index > 0 && index < count - 1,
        endsFlightLeg: index > 0)
    }
  }

  private func flights(
    _ store: Store, in times: ClosedRange<Timestamp>? = nil
  ) throws -> (flights: [Flight], keptFixes: Int) {
    try store.read { try $0.flights(in: times) }
  }

  private func time(_ seconds: Int) -> Timestamp {
    Timestamp(millisecondsSince1970: 1_700_000_000_000 + Int64(seconds) * 1_000)
  }

  @Test func `flights are found across chunks, and two that touch no leg are two`() throws {
    let store = try store()
    let long = flight(from: 0, count: 9_000, everySeconds: 1)
    let short = flight(from: 20_000, count: 3)
    try store.add(long + short, as: "a")
    let found = try flights(store)
    #expect(found.flights.map(\.start) == [time(0), time(20_000)])
    #expect(found.flights.map(\.end) == [time(8_999), time(20_120)])
    #expect(found.keptFixes == 8_998 + 1)
    let meters = zip(long, long.dropFirst()).reduce(0) {
      $0 + $1.0.coordinate.distanceMeters(to: $1.1.coordinate)
    }
    #expect(abs((found.flights.first?.distanceMeters ?? 0) - meters) < 1)
    let part = try flights(store, in: time(20_010)...time(30_000))
    #expect(part.flights.count == 1 && part.keptFixes == 1)
    #expect(try flights(store, in: time(10_000)...time(11_000)).flights.isEmpty)
  }

  @Test func `a flight of two devices is one, with the longer distance`() throws {
    let store = try store()
    let (watch, phone) = (flight(from: 0, count: 50), flight(from: 120, count: 30, latitude: 50.01))
    try store.add(watch, as: "watch")
    let alone = try flights(store)
    try store.add(phone, as: "phone")
    let both = try flights(store)
    #expect(both.flights == alone.flights)
    #expect(both.keptFixes == 48 + 28)
    _ = try store.write { try $0.forget(sources: ["1"]) }
    #expect(try flights(store).flights.map(\.start) == [time(120)])
  }

  @Test func `a flight of which a zone erased the departure begins after it`() throws {
    let store = try store()
    var home = flight(from: -86_400, count: 1)
    home[0].coordinate = Coordinate(50.1, 0)
    let fixes = home + flight(from: 0, count: 20)
    try store.add(fixes, as: "a")
    #expect(try flights(store).flights.map(\.start) == [time(0)])
    _ = try store.forget(in: PrivacyZone(center: fixes[1].coordinate, radiusMeters: 500))
    let found = try flights(store)
    #expect(found.flights.map(\.start) == [time(60)])
    #expect(found.flights.map(\.end) == [time(19 * 60)])
    #expect(try store.check().isSound)
  }

  @Test(arguments: Seeds.sample(50))
  func `the union of flights covers the same seconds as the flights, each once`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let all = (0..<Int.random(in: 0...12, using: &random)).map { _ in
      let start = Int.random(in: 0...300, using: &random)
      let end = start + Int.random(in: 1...60, using: &random)
      return Flight(
        start: time(start), end: time(end), distanceMeters: Double(end - start) * 200)
    }
    let union = Flight.union(all.shuffled(using: &random))
    for second in 0..<400 {
      func count(_ flights: [Flight]) -> Int {
        flights.count { $0.start <= time(second) && time(second) < $0.end }
      }
      #expect(count(union) == min(1, count(all)))
    }
    #expect(union.reduce(0) { $0 + $1.distanceMeters } <= all.reduce(0) { $0 + $1.distanceMeters })
  }
}
