import Achievements
import Geodesy
import RoquaTesting
import SeededRandom
import TestSupport
import Testing
import TrackIngest

@testable import Session

/// The reducer, action by action, with every change and effect asserted.
@Suite struct LiveSessionTests {
  private func store(
    _ rules: LiveRules = LiveRules(filter: FilterSettings()),
    _ location: SourceLocation = #_sourceLocation
  ) -> TestStore<LiveSession> {
    TestStore(LiveSession(), LiveSession.State(rules: rules)) {
      Issue.record("\($0)", sourceLocation: location)
    }
  }

  private func request(
    _ id: Int, _ fixes: [(Fix, Verdict)], points: Int, startsSegment: Bool = false
  ) -> LiveSession.StoreRequest {
    var isFirst = startsSegment
    let verdicts = fixes.map { fix, verdict in
      var judged = JudgedFix(fix: fix, verdict: verdict)
      if verdict == .kept {
        judged.startsSegment = isFirst
        isFirst = false
      }
      return judged
    }
    return LiveSession.StoreRequest(id: id, verdicts: verdicts, points: points)
  }

  private func seen(_ fix: Fix, _ state: inout LiveSession.State) {
    state.report.points += 1
    state.latestFix = fix
    state.report.firstTime = state.report.firstTime ?? fix.time
    state.report.lastTime = fix.time
    if state.report.extent?.include(fix.coordinate) == nil {
      state.report.extent = Extent(fix.coordinate)
    }
  }

  @Test func `a fix is stored, published, and its place is found`() {
    let test = store()
    let fix = Fix.walk(meters: 0, seconds: 0)
    let first = request(1, [(fix, .kept)], points: 1, startsSegment: true)
    test.send(.fixesArrived([fix])) {
      seen(fix, &$0)
      $0.unstored = [first]
    }
    test.receive(.store(first))

    let region = ExplorationEvent.VisitedPlace(id: 7, center: fix.coordinate)
    let country = ReachedPlace(
      level: .country, place: PlaceNames(countryCode: "CH", country: "Switzerland"))
    var outcome = LiveSession.StoreOutcome()
    outcome.entered = [.init(region, isNew: true)]
    (outcome.cellsAdded, outcome.squareKilometersAdded) = (13, 0.07)
    outcome.reached = [country]
    outcome.unlocks = [AchievementUnlock(achievementID: "countries", tier: 1, time: fix.time)]
    outcome.progress = [AchievementProgress(achievementID: "days", value: 3, nextTier: 7)]
    test.send(.stored(1, outcome)) {
      $0.unstored = []
      $0.report.kept = 1
      $0.regionsDiscovered = 1
      $0.cellsAdded = 13
      $0.squareKilometersAdded = 0.07
    }
    test.receive(.publish(.fixKept(first.verdicts[0])))
    test.receive(.publish(.regionDiscovered(region)))
    test.receive(.publish(.areaGrown(cells: 13, squareKilometers: 0.07)))
    test.receive(.publish(.placeReached(country)))
    test.receive(.publish(.achievementUnlocked(outcome.unlocks[0])))
    test.receive(.publish(.achievementProgressed(outcome.progress[0])))
    test.receive(.findPlace(fix.coordinate))
    let names = PlaceNames(countryCode: "CH", country: "Switzerland")
    test.send(.placeFound(names)) { $0.place = names }
    test.finish()
  }

  @Test func `a failing store is asked again, in order, and later fixes wait behind`() {
    let test = store()
    let fixes = (0..<3).map { Fix.walk(meters: Double($0) * 100, seconds: Double($0) * 60) }
    var requests = fixes.enumerated().map { index, fix in
      request(index + 1, [(fix, .kept)], points: 1, startsSegment: index == 0)
    }
    // A fix on the ground is settled with the next one.
    for index in 1..<3 { requests[index].settled = requests[index - 1].verdicts }
    test.send(.fixesArrived([fixes[0]])) {
      seen(fixes[0], &$0)
      $0.unstored = [requests[0]]
    }
    test.receive(.store(requests[0]))
    test.send(.failed(1, "the disk is full")) {
      $0.isRetrying = true
      $0.timerSeconds = 1
    }
    test.receive(.setTimer(seconds: 1))
    for index in 1...2 {
      test.send(.fixesArrived([fixes[index]])) {
        seen(fixes[index], &$0)
        $0.unstored = Array(requests[0...index])
      }
    }
    test.send(.clockTicked) {
      $0.isRetrying = false
      $0.timerSeconds = nil
    }
    for (index, request) in requests.enumerated() {
      // One at a time.
      test.receive(.store(request))
      test.send(.stored(request.id, LiveSession.StoreOutcome())) {
        $0.unstored.removeFirst()
        $0.report.kept = index + 1
      }
      test.receive(.publish(.fixKept(request.verdicts[0])))
    }
    test.finish()
  }

  @Test func `a paused session ignores fixes, and a resumed one starts a segment`() {
    let test = store()
    let fix = Fix.walk(meters: 0, seconds: 0)
    test.send(.paused) { $0.phase = .paused }
    test.send(.fixesArrived([fix]))
    test.send(.resumed) { $0.phase = .recording }
    let first = request(1, [(fix, .kept)], points: 1, startsSegment: true)
    test.send(.fixesArrived([fix])) {
      seen(fix, &$0)
      $0.unstored = [first]
    }
    test.receive(.store(first))
    test.send(.stored(1, LiveSession.StoreOutcome())) {
      $0.unstored = []
      $0.report.kept = 1
    }
    test.receive(.publish(.fixKept(first.verdicts[0])))
    let report = test.state.report
    var last = request(2, [], points: 0)
    last.settled = first.verdicts
    test.send(.finished) {
      $0.phase = .finished
      $0.unstored = [last]
    }
    test.receive(.store(last))
    test.send(.stored(2, LiveSession.StoreOutcome())) { $0.unstored = [] }
    test.receive(.end(report))
    test.send(.fixesArrived([fix]))
    test.send(.resumed)
    test.finish()
  }

  @Test func `changed rules apply from the next fix on, also in a pause`() {
    let test = store()
    var rules = LiveRules(filter: FilterSettings(maximumAccuracyMeters: 20))
    let fixes = (0..<2).map {
      Fix.walk(meters: Double($0) * 100, seconds: Double($0) * 60, accuracy: 30)
    }
    let first = request(1, [(fixes[0], .kept)], points: 1, startsSegment: true)
    test.send(.fixesArrived([fixes[0]])) {
      seen(fixes[0], &$0)
      $0.unstored = [first]
    }
    test.receive(.store(first))
    // Before the answer: the first fix was judged by the rules of its time.
    test.send(.rulesChanged(rules)) { $0.rules = rules }
    test.send(.stored(1, LiveSession.StoreOutcome())) {
      $0.unstored = []
      $0.report.kept = 1
    }
    test.receive(.publish(.fixKept(first.verdicts[0])))
    let second = request(2, [(fixes[1], .dropped(.inaccurate))], points: 1)
    test.send(.fixesArrived([fixes[1]])) {
      seen(fixes[1], &$0)
      $0.unstored = [second]
    }
    test.receive(.store(second))
    test.send(.stored(2, LiveSession.StoreOutcome())) {
      $0.unstored = []
      $0.report.dropped[.inaccurate] = 1
    }
    test.receive(.publish(.fixDropped(fixes[1], .inaccurate)))
    test.send(.paused) { $0.phase = .paused }
    rules.filter.maximumAccuracyMeters = 40
    test.send(.rulesChanged(rules)) { $0.rules = rules }
    test.send(.resumed) { $0.phase = .recording }
    var third = request(3, [(fixes[1], .kept)], points: 1, startsSegment: true)
    third.settled = first.verdicts
    test.send(.fixesArrived([fixes[1]])) {
      seen(fixes[1], &$0)
      $0.unstored = [third]
    }
    test.receive(.store(third))
  }

  @Test func `a fix that the store withholds is dropped, and leaves no extent`() {
    let test = store()
    let fix = Fix.walk(meters: 0, seconds: 0)
    let first = request(1, [(fix, .kept)], points: 1, startsSegment: true)
    test.send(.fixesArrived([fix])) {
      seen(fix, &$0)
      $0.unstored = [first]
    }
    test.receive(.store(first))
    var outcome = LiveSession.StoreOutcome()
    outcome.withheld = 1
    outcome.zones = PrivacyZones([PrivacyZone(center: fix.coordinate, radiusMeters: 500)])
    test.send(.stored(1, outcome)) {
      $0.unstored = []
      $0.rules.filter.zones = outcome.zones
      $0.latestFix = nil
      $0.report.extent = nil
      $0.report.dropped[.privacyZone] = 1
    }
    test.receive(.publish(.fixDropped(nil, .privacyZone)))
    // The session knows the zone now.
    let second = request(2, [(fix, .dropped(.privacyZone))], points: 1)
    test.send(.fixesArrived([fix])) {
      $0.report.points = 2
      $0.latestFix = nil
      $0.unstored = [second]
    }
    test.receive(.store(second))
  }

  @Test func `a silent receiver ends the segment after five minutes`() {
    let test = store(LiveRules())
    let fix = Fix.walk(meters: 0, seconds: 0)
    let first = request(1, [(fix, .kept)], points: 1, startsSegment: true)
    test.send(.fixesArrived([fix])) {
      seen(fix, &$0)
      $0.unstored = [first]
      $0.timerSeconds = 300
    }
    test.receive(.store(first))
    test.receive(.setTimer(seconds: 300))
    test.send(.stored(1, LiveSession.StoreOutcome())) {
      $0.unstored = []
      $0.report.kept = 1
    }
    test.receive(.publish(.fixKept(first.verdicts[0])))
    test.send(.clockTicked) { $0.timerSeconds = nil }
    // The same place again is the first fix of a new segment.
    var second = request(2, [(fix, .kept)], points: 1, startsSegment: true)
    second.settled = first.verdicts
    test.send(.fixesArrived([fix])) {
      seen(fix, &$0)
      $0.unstored = [second]
      $0.timerSeconds = 300
    }
    test.receive(.store(second))
    test.receive(.setTimer(seconds: 300))
    test.finish()
  }

  @Test(arguments: 0..<20)
  func `a recorded session replays to the same bytes`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var tape = SessionTape(rules: LiveRules())
    var fixes = Walks.day(&random, count: 200).map(Fix.init)[...]
    while let count = [1, 1, 1, 7].randomElement(using: &random), !fixes.isEmpty {
      for effect in tape.send(.fixesArrived(Array(fixes.prefix(count)))) {
        guard case .store(let request) = effect else { continue }
        if Int.random(in: 0..<10, using: &random) == 0 {
          tape.send(.failed(request.id, "busy"))
          tape.send(.clockTicked)
        } else {
          tape.send(.stored(request.id, LiveSession.StoreOutcome()))
        }
      }
      if Int.random(in: 0..<30, using: &random) == 0 {
        tape.send(.paused)
        tape.send(.resumed)
      }
      fixes = fixes.dropFirst(count)
    }
    tape.send(.finished)
    #expect(tape.replayed().text == tape.text)
    #expect(tape.text.utf8.count > 1_000)
  }
}
