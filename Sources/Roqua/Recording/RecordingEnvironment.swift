import Achievements
import GeoStore
import Geodesy
import Session
import TrackIngest

/// What a recording needs from outside: store, places, clock and listeners.
struct RecordingEnvironment: Sendable {
  /// What storing a request changed.
  struct Stored {
    var outcome: LiveSession.StoreOutcome
    var changes: SourceChanges
    /// The rules, if the store's settings are others than before.
    var newRules: LiveRules?
  }

  /// Stores a request in one transaction. The rules are those of the session.
  var store: @Sendable (LiveSession.StoreRequest, LiveRules) throws -> Stored
  /// The rules, if the store's settings changed since the last call and ask for others than these.
  var changedRules: @Sendable (LiveRules) -> LiveRules? = { _ in nil }
  /// Finds the names of a place.
  var place: @Sendable (Coordinate) -> PlaceNames
  /// Ends the source with its report, and whether a time ran backward. Returns the tiers of
  /// achievements that are found at the end.
  var end: @Sendable (TrackReport, Bool) throws -> [AchievementUnlock]
  /// Sends events to listeners.
  var publish: @Sendable ([ExplorationEvent]) -> Void
  /// The clock of timers.
  var clock = ContinuousClock()
  /// The current time.
  var now: @Sendable () -> Timestamp
}

extension RecordingEnvironment {
  /// The environment of a recording into a store.
  ///
  /// - Parameters:
  ///   - settings: follows the settings of the store, since before the session's rules were read.
  ///   - rules: the session's rules for settings of the store.
  init(
    writer: RecordingWriter, name: String, identifier: String, explorer: Explorer,
    settings: SettingsFollower, rules: @escaping @Sendable (StoreSettings) -> LiveRules
  ) {
    let namer = PlaceNamer(geocoder: explorer.geocoder)
    let channel = explorer.eventChannel
    let follower = RecordingFollower(explorer: explorer, source: writer.id)
    let changedRules = { @Sendable (settings: StoreSettings, known: LiveRules) -> LiveRules? in
      var now = rules(settings)
      now.filter.zones = known.filter.zones
      return now == known ? nil : now
    }
    self.init(
      store: { request, known in
        if !request.corrections.isEmpty {
          follower.noteMarks(try writer.mark(request.corrections.map(FlightMark.init)))
        }
        let kept = request.verdicts.filter { $0.verdict == .kept }.map(KeptFix.init)
        let heights = follower.heights(after: request.settled)
        guard request.points > 0 || !kept.isEmpty || heights != nil else {
          var outcome = LiveSession.StoreOutcome()
          outcome.zones = known.filter.zones
          let following = follower.follow(request, nil, zones: known.filter.zones)
          (outcome.unlocks, outcome.progress) = (following.unlocks, following.progress)
          return Stored(outcome: outcome, changes: SourceChanges())
        }
        let appended = try writer.append(
          kept, points: request.points, heights: heights.map { ($0, known.filter.zones) })
        let hasSameZones = appended.zones == known.filter.zones
        follower.note(heights, isValid: hasSameZones)
        var outcome = LiveSession.StoreOutcome(appended)
        let following = follower.follow(request, appended, zones: appended.zones)
        (outcome.unlocks, outcome.progress) = (following.unlocks, following.progress)
        return Stored(
          outcome: outcome, changes: appended.changes,
          newRules: changedRules(settings.changedSettings() ?? appended.settings, known))
      },
      changedRules: { known in
        settings.changedSettings().flatMap { changedRules($0, known) }
      },
      place: { namer.names(at: $0) },
      end: { report, hasBackwardTime in
        let times = report.firstTime.flatMap { first in
          report.lastTime.map { first...max(first, $0) }
        }
        try writer.finish(
          report: report.recordingJSON(name: name, identifier: identifier).description,
          times: times, staysAtEnd: report.staysAtEnd && !hasBackwardTime)
        return follower.unlocksAtEnd()
      },
      publish: { events in if !channel.isEmpty { channel.send(events) } },
      now: explorer.store.options.now)
  }
}

extension LiveSession.StoreOutcome {
  fileprivate init(_ appended: RecordingWriter.Appended) {
    self.init()
    zones = appended.zones
    withheld = appended.changes.withheld
    entered = appended.entered.map { region in
      Entered(
        ExplorationEvent.VisitedPlace(id: region.id, center: region.center), isNew: region.isNew)
    }
    cellsAdded = appended.changes.cellsAdded
    squareKilometersAdded = appended.changes.areaAddedSquareKilometers
    reached = appended.reached
  }
}

extension KeptFix {
  init(_ judged: JudgedFix) {
    self.init(
      coordinate: judged.fix.coordinate, time: judged.fix.time,
      accuracyMeters: judged.fix.horizontalAccuracyMeters, startsSegment: judged.startsSegment,
      isInFlight: judged.isInFlight, endsFlightLeg: judged.endsFlightLeg)
  }
}

extension FlightMark {
  fileprivate init(_ correction: FlightCorrection) {
    self.init(
      coordinate: correction.coordinate, time: correction.time,
      isInFlight: correction.isInFlight, endsFlightLeg: correction.endsFlightLeg)
  }
}
