import Roqua

extension Recording {
  /// Ends the segment, so that the next fix starts a run that is not compared with the one before.
  func endRun() throws -> Change { try endSegment() }
}
