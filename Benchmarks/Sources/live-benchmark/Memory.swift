import BenchmarkSupport
import Foundation
import Geodesy
import Session
import TrackIngest

/// A live session whose effects carry no input or output: every request is answered at once, as if
/// each kept fix had made a region and explored cells, so that each gives three events.
struct MemorySession {
  private var state: LiveSession.State
  private let channel: EventChannel<ExplorationEvent>
  private(set) var eventCount = 0
  private var waiting: [ExplorationEvent] = []
  private var regionID: Int64 = 0

  var kept: Int { state.report.kept }
  var points: Int { state.report.points }

  init(rules: LiveRules, channel: EventChannel<ExplorationEvent>) {
    state = LiveSession.State(rules: rules)
    self.channel = channel
  }

  /// Sends an action, carries out what follows, and publishes the events.
  mutating func send(_ action: LiveSession.Action) {
    carryOut(LiveSession().reduce(&state, action))
    eventCount += waiting.count
    channel.send(waiting)
    waiting.removeAll(keepingCapacity: true)
  }

  private mutating func carryOut(_ effects: [LiveSession.Effect]) {
    for effect in effects {
      switch effect {
      case .publish(let event): waiting.append(event)
      case .store(let request):
        carryOut(LiveSession().reduce(&state, .stored(request.id, outcome(of: request))))
      case .findPlace: carryOut(LiveSession().reduce(&state, .placeFound(PlaceNames())))
      case .setTimer, .cancelTimer, .end: break
      }
    }
  }

  private mutating func outcome(of request: LiveSession.StoreRequest) -> LiveSession.StoreOutcome {
    var outcome = LiveSession.StoreOutcome()
    for judged in request.verdicts where judged.verdict == .kept {
      regionID += 1
      let region = ExplorationEvent.VisitedPlace(id: regionID, center: judged.fix.coordinate)
      outcome.entered.append(LiveSession.StoreOutcome.Entered(region, isNew: true))
      outcome.cellsAdded += 12
      outcome.squareKilometersAdded += 0.06
    }
    return outcome
  }
}

/// Fixes a second through the reducer and to two listeners: one that reads, and one that never
/// does.
enum MemoryRates {
  /// A listener's count of events, those that it missed included.
  private static func count(_ events: EventSequence<ExplorationEvent>, upTo total: Int) async -> (
    received: Int, missed: Int
  ) {
    var (received, missed) = (0, 0)
    for await event in events {
      if case .missed(let count) = event { missed += count } else { received += 1 }
      if received + missed == total { break }
    }
    return (received, missed)
  }

  static func measure(_ fixes: [Fix], _ rules: LiveRules, batch: Int) async -> Result {
    let channel = EventChannel<ExplorationEvent> { .missed($0) }
    let (read, unread) = (channel.events(), channel.events())
    let reader = Task { () -> (received: Int, missed: Int) in
      var (received, missed) = (0, 0)
      for await event in read {
        switch event {
        case .missed(let count): missed += count
        // Nothing sends it but this benchmark, at the end.
        case .importProgressed: return (received, missed)
        default: received += 1
        }
      }
      return (received, missed)
    }
    var session = MemorySession(rules: rules, channel: channel)
    let start = ContinuousClock.now
    var index = 0
    while index < fixes.count {
      let end = min(index + batch, fixes.count)
      session.send(.fixesArrived(Array(fixes[index..<end])))
      index = end
    }
    session.send(.finished)
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    channel.send([.importProgressed(.init(filesDone: 0, filesFound: 0, kept: 0))])
    let total = session.eventCount
    let heard = await reader.value
    check(session.points == fixes.count, "every fix gets a verdict")
    check(heard.received + heard.missed == total, "the reader knows of \(total) events")
    let silent = await count(unread, upTo: total + 1)
    check(silent.received + silent.missed == total + 1, "the other listener knows of them too")
    check(
      silent.received <= EventChannel<ExplorationEvent>.defaultCapacity,
      "\(silent.received) events waited for the listener that never reads")
    return Result(
      rate: Double(fixes.count) / seconds, kept: session.kept, events: total,
      missedByReader: heard.missed)
  }

  struct Result {
    let rate: Double
    let kept: Int
    let events: Int
    let missedByReader: Int
  }
}
