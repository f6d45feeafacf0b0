import Geodesy
import SeededRandom
import TestSupport
import Testing
import TrackIngest

@testable import Session

/// The verdicts of a live session against those of the filters for files.
@Suite struct FixJudgeTests {
  /// A kept fix as the store has it in the end.
  private struct Kept: Equatable {
    let fix: Fix
    let startsSegment: Bool
    var isInFlight: Bool
    var endsFlightLeg: Bool
  }

  /// What a file with these segments gives: filter and recognizer, one after the other.
  private func ofFile(_ segments: [[Fix]], _ settings: FilterSettings) -> [Kept] {
    var filter = FixFilter(settings: settings)
    var flights = FlightRecognizer(settings: settings)
    var accepted: [AcceptedFix] = []
    var isCut = true
    func take(_ fix: Fix, _ verdict: Verdict) {
      switch verdict {
      case .kept:
        accepted.append(AcceptedFix(fix: fix, startsSegment: isCut))
        isCut = false
      case .dropped(.privacyZone): isCut = true
      case .dropped: break
      }
    }
    for segment in segments {
      filter.finish(emit: take)
      isCut = true
      for fix in segment { filter.push(fix, startsSegment: false, emit: take) }
    }
    filter.finish(emit: take)
    var kept: [Kept] = []
    func add(_ fix: AcceptedFix) {
      kept.append(
        Kept(
          fix: fix.fix, startsSegment: fix.startsSegment, isInFlight: fix.isInFlight,
          endsFlightLeg: fix.endsFlightLeg))
    }
    for fix in accepted { flights.push(fix, emit: add) }
    flights.finish(emit: add)
    return kept
  }

  /// What a session keeps, with its corrections.
  private func ofSession(
    _ segments: [[Fix]], _ rules: LiveRules
  ) -> (kept: [Kept], verdicts: Int, corrections: Int) {
    var judge = FixJudge(rules: rules)
    var (kept, verdicts, corrections): ([Kept], Int, Int) = ([], 0, 0)
    func note(_ judgment: FixJudge.Judgment) {
      verdicts += judgment.verdicts.count
      corrections += judgment.corrections.count
      for judged in judgment.verdicts where judged.verdict == .kept {
        kept.append(
          Kept(
            fix: judged.fix, startsSegment: judged.startsSegment, isInFlight: judged.isInFlight,
            endsFlightLeg: judged.endsFlightLeg))
      }
      for correction in judgment.corrections {
        let index = kept.lastIndex {
          $0.fix.coordinate == correction.coordinate && $0.fix.time == correction.time
        }
        guard let index else {
          Issue.record("a correction of a fix that was not kept")
          continue
        }
        #expect(kept[index].isInFlight == correction.wasInFlight)
        kept[index].isInFlight = correction.isInFlight
        kept[index].endsFlightLeg = correction.endsFlightLeg
      }
    }
    for (number, segment) in segments.enumerated() {
      if number > 0 {
        var judgment = FixJudge.Judgment()
        judge.endSegment(&judgment)
        note(judgment)
      }
      for fix in segment {
        var judgment = FixJudge.Judgment()
        judge.judge(fix, &judgment)
        note(judgment)
      }
    }
    var judgment = FixJudge.Judgment()
    judge.finish(&judgment)
    note(judgment)
    return (kept, verdicts, corrections)
  }

  @Test(arguments: 0..<60)
  func `without an interval a session keeps what the file gives, flights included`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let fixes = Walks.day(&random, count: 600).map(Fix.init)
    var segments: [[Fix]] = [[]]
    for fix in fixes {
      if Int.random(in: 0..<80, using: &random) == 0 { segments.append([]) }
      segments[segments.count - 1].append(fix)
    }
    var settings = FilterSettings()
    if seed % 3 == 0 {
      settings.zones = PrivacyZones([
        PrivacyZone(center: fixes[seed % 2 == 0 ? 50 : 100].coordinate, radiusMeters: 2_000)
      ])
    }
    let expected = ofFile(segments, settings)
    let found = ofSession(segments, LiveRules(filter: settings))
    #expect(found.verdicts == fixes.count)
    let isSameFixes = found.kept.map(\.fix) == expected.map(\.fix)
    let differing = zip(found.kept, expected).count { $0 != $1 }
    #expect(isSameFixes && differing == 0)
    #expect(expected.count > 50)
  }

  @Test func `the simulated days have flights whose climb is corrected`() {
    var corrections = 0
    for seed in UInt64(0)..<20 {
      var random = SplitMix64(seed: seed)
      let fixes = Walks.day(&random, count: 600).map(Fix.init)
      corrections += ofSession([fixes], LiveRules(filter: FilterSettings())).corrections
    }
    #expect(corrections > 0)
  }

  private func verdicts(_ fixes: [Fix], _ rules: LiveRules = LiveRules()) -> [Verdict] {
    var judge = FixJudge(rules: rules)
    var judgment = FixJudge.Judgment()
    for fix in fixes { judge.judge(fix, &judgment) }
    judge.finish(&judgment)
    return judgment.verdicts.map(\.verdict)
  }

  @Test func `a receiver that stands still keeps no drift, a slow walker is kept`() {
    // 60 m from the first fix: beyond the tracking distance, within √(40² + 45²) = 60.2 m.
    let first = Fix.walk(meters: 0, seconds: 0, accuracy: 40, speed: 0)
    let drift = Fix.walk(meters: 60, seconds: 60, accuracy: 45, speed: 0.2)
    let walk = Fix.walk(meters: 60, seconds: 60, accuracy: 45, speed: 0.9)
    let unknown = Fix.walk(meters: 60, seconds: 60, accuracy: 45)
    #expect(verdicts([first, drift]) == [.kept, .dropped(.tooClose)])
    #expect(verdicts([first, walk]) == [.kept, .kept])
    #expect(verdicts([first, unknown]) == [.kept, .kept])
    // Back from drift to the first place: still too close to the last kept fix.
    let back = Fix.walk(meters: 1, seconds: 120, accuracy: 5, speed: 1)
    #expect(verdicts([first, drift, back]) == [.kept, .dropped(.tooClose), .dropped(.tooClose)])
    // Away from there it is kept again.
    let away = Fix.walk(meters: -70, seconds: 180, accuracy: 5, speed: 1)
    #expect(
      verdicts([first, drift, back, away]) == [
        .kept, .dropped(.tooClose), .dropped(.tooClose), .kept,
      ])
    // As in a file, drift is kept.
    #expect(verdicts([first, drift], LiveRules(filter: FilterSettings())) == [.kept, .kept])
  }

  @Test(arguments: [(299.0, Verdict.dropped(.tooClose)), (301, .kept)])
  func `a gap of more than five minutes starts a segment`(seconds: Double, verdict: Verdict) {
    let fixes = [Fix.walk(meters: 0, seconds: 0), Fix.walk(meters: 1, seconds: seconds)]
    #expect(verdicts(fixes) == [.kept, verdict])
    #expect(
      verdicts(fixes, LiveRules(filter: FilterSettings())) == [.kept, .dropped(.tooClose)])
  }

  @Test func `each of several gaps starts a segment`() {
    // Each is near the one before, and kept because nothing is compared with it.
    let fixes = (0..<6).map { Fix.walk(meters: Double($0), seconds: 400 * Double($0)) }
    #expect(verdicts(fixes) == Array(repeating: .kept, count: 6))
  }
}
