import TrackIngest

extension TrackReport {
  /// True if the track is known to have stayed near its last kept fix until its last time: every
  /// fix that the filter dropped was too close to a kept fix, and times never ran backwards.
  var staysAtEnd: Bool {
    lastTime != nil
      && DropReason.allCases.allSatisfy { $0 == .tooClose || dropped[$0] == 0 }
      && !warnings.contains { $0.code == .timeBackwards || $0.code == .impossibleTime }
  }
}
