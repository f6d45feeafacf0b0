import ByteStreams
import GeoStore
import Session
import TrackIngest

extension Explorer {
  /// Starts a recording: a source that is stored as it grows. It follows changes of the store's
  /// settings and privacy zones.
  ///
  /// - Parameters:
  ///   - name: the name of the source, listed in place of a path.
  ///   - minimumIntervalSeconds: drops a fix sooner than this after the last kept one; nil for the
  ///     store's setting if it was set, otherwise 5 s. With 0, fixes are treated as those of a file
  ///     (``/Session/LiveRules/isLikeFile``).
  /// - Throws: `CancellationError`, `DatabaseError`.
  public func startRecording(
    named name: String, minimumIntervalSeconds: Double? = nil
  ) async throws -> Recording {
    try await Store.onThread { _ in
      let recorder = try self.sessionRecorder(named: name, minimumIntervalSeconds)
      return Recording(
        source: recorder.sourceID, name: name, rules: recorder.rules,
        environment: recorder.environment)
    }
  }

  /// Starts a session of an app's own: a source that grows by the effects of
  /// ``/Session/LiveSession``. The parameters are those of
  /// ``startRecording(named:minimumIntervalSeconds:)``.
  ///
  /// - Throws: `CancellationError`, `DatabaseError`.
  public func startSession(
    named name: String, minimumIntervalSeconds: Double? = nil
  ) async throws -> SessionRecorder {
    try await Store.onThread { _ in
      try self.sessionRecorder(named: name, minimumIntervalSeconds)
    }
  }

  private func sessionRecorder(
    named name: String, _ minimumIntervalSeconds: Double?
  ) throws -> SessionRecorder {
    let rules = { @Sendable (settings: StoreSettings) in
      var filter = FilterSettings(settings)
      if let minimumIntervalSeconds {
        filter.minimumIntervalSeconds = minimumIntervalSeconds
      } else if !settings.isSet(.minimumIntervalSeconds) {
        filter.minimumIntervalSeconds = FilterSettings.liveIntervalSeconds
      }
      return LiveRules(filter: filter)
    }
    // Before they are read, so that no change is missed.
    let follower = SettingsFollower(of: store)
    let (settings, zones) = try read { ($0.settings, try $0.privacyZones().map(\.zone)) }
    var first = rules(settings)
    first.filter.zones = PrivacyZones(zones)
    // A recording has no bytes to identify it by, so 256 random bits do.
    let identifier = Hexadecimal.text((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    let writer = try store.beginRecording(
      identifier: identifier, name: name, format: TrackReport.recordingFormat)
    return SessionRecorder(
      sourceID: writer.id, name: name, rules: first,
      environment: RecordingEnvironment(
        writer: writer, name: name, identifier: identifier, explorer: self,
        settings: follower, rules: rules))
  }

  /// What happens to the history from now on: fixes kept and dropped, regions discovered, places
  /// reached, imports. Each use starts a new listener, and every listener gets all events in order.
  ///
  /// A listener that is slow loses the oldest events (``/Session/ExplorationEvent/missed(_:)``); it
  /// never delays a writer. Changes by other processes are in ``changes``.
  ///
  /// ```swift
  /// for await event in explorer.events {
  ///   if case .placeReached(let place) = event { print("first time in \(place.name ?? "")") }
  /// }
  /// ```
  public var events: EventSequence<ExplorationEvent> { eventChannel.events() }
}
