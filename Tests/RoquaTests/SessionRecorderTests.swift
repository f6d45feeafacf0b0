import Foundation
import GeoStore
import Geodesy
import SeededRandom
import Session
import TestSupport
import Testing
import TrackIngest

@testable import Roqua

/// A live session that an app carries inside a state of its own.
@Suite struct SessionRecorderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The state of an app that records, among other things.
  private struct AppReducer: Reducer {
    struct State {
      var session: LiveSession.State
      var title = ""
    }
    enum Action {
      case session(LiveSession.Action)
      case titleChanged(String)
    }

    func reduce(_ state: inout State, _ action: Action) -> [LiveSession.Effect] {
      switch action {
      case .session(let action): return LiveSession().reduce(&state.session, action)
      case .titleChanged(let title):
        state.title = title
        return []
      }
    }
  }

  private func fixes(_ seed: UInt64) -> [Fix] {
    var random = SplitMix64(seed: seed)
    return Walks.day(&random, count: 150).map { Fix($0) }
  }

  /// Sends an action and carries out what follows from it.
  private func send(
    _ action: LiveSession.Action, to state: inout AppReducer.State, _ recorder: SessionRecorder
  ) throws {
    var waiting = [action]
    while !waiting.isEmpty {
      for effect in AppReducer().reduce(&state, .session(waiting.removeFirst())) {
        waiting = try recorder.carryOut(effect, of: state.session) + waiting
      }
    }
  }

  @Test(arguments: 0..<3)
  func `an app's own session stores what a recording does`(seed: UInt64) async throws {
    let (own, other) = (
      try Explorer(storePath: folder.file("own.sqlite")),
      try Explorer(storePath: folder.file("other.sqlite"))
    )
    let recorder = try await own.startSession(named: "day", minimumIntervalSeconds: 0)
    let recording = try await other.startRecording(named: "day", minimumIntervalSeconds: 0)
    var state = AppReducer.State(session: LiveSession.State(rules: recorder.rules))
    _ = AppReducer().reduce(&state, .titleChanged("day"))
    var returned: [ExplorationEvent] = []
    let events = own.events
    for fix in fixes(seed) {
      try send(.fixesArrived([fix]), to: &state, recorder)
      returned += try await recording.add(fix).events
    }
    try send(.interrupted, to: &state, recorder)
    try send(.finished, to: &state, recorder)
    let (report, change) = try await recording.end()
    returned += change.events

    #expect(state.session.report == report && report.kept > 20)
    #expect(state.session.phase == .finished && state.session.unstored.isEmpty)
    #expect(try StoreContents(own).differences(from: StoreContents(other)) == [])
    var heard: [ExplorationEvent] = []
    for await event in events {
      heard.append(event)
      if heard.count == returned.count { break }
    }
    #expect(heard == returned)
  }

  @Test func `a store that fails is an action, and a forgotten source an error`() async throws {
    let explorer = try Explorer(storePath: folder.file("a.sqlite"))
    let recorder = try await explorer.startSession(named: "a", minimumIntervalSeconds: 0)
    var state = LiveSession.State(rules: recorder.rules)
    let fix = try #require(fixes(1).first)
    let effects = LiveSession().reduce(&state, .fixesArrived([fix]))
    let store = try #require(effects.first)
    _ = try await explorer.forget(sources: [recorder.sourceID])
    #expect(throws: StoreError.self) { try recorder.carryOut(store, of: state) }
  }
}
