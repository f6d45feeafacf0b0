/// Points of paths, and visits.
extension GoogleTimelineBuilder {
  /// Reports a fix that covers visits.
  mutating func addCovering(_ point: JSONPoint, _ sink: inout some TrackSink) {
    if let time = point.time, point.coordinate != nil { visits.cover(time) }
    track.add(point, &sink)
  }

  /// Reports a point of a path, or lets it wait for the start of its span.
  mutating func addPathPoint(_ sink: inout some TrackSink) {
    // A time of its own is more exact than an offset in whole minutes.
    guard point.time == nil, let minutes else {
      if span.isWaiting, span.waiting.count < GoogleTimelineLimits.waitingPoints {
        span.waiting.append((point, 0))
      } else {
        addCovering(point, &sink)
      }
      return
    }
    if visit.start == nil, span.waiting.count < GoogleTimelineLimits.waitingPoints {
      span.isWaiting = true
      span.waiting.append((point, minutes))
      return
    }
    addCovering(dated(point, minutes, &sink), &sink)
  }

  /// Reports the points that waited, at the end of their span.
  mutating func releaseWaiting(_ sink: inout some TrackSink) {
    guard span.isWaiting else { return }
    for (point, minutes) in span.waiting {
      addCovering(point.time == nil ? dated(point, minutes, &sink) : point, &sink)
    }
    span.waiting.removeAll()
    span.isWaiting = false
  }

  private func dated(
    _ point: JSONPoint, _ minutes: Double, _ sink: inout some TrackSink
  ) -> JSONPoint {
    guard let start = visit.start else {
      sink.warn(
        .impossibleTime, line: point.line,
        "A time counts from the start of its span, which is unknown; it was ignored.")
      return point
    }
    var point = point
    if abs(minutes) < 1e9 {
      let time = start + Int64((minutes * 60_000).rounded())
      point.time = clock.possible(time, line: point.line, &sink)
    }
    return point
  }

  // MARK: - Visits

  /// A span, or a visit of the semantic history, begins.
  mutating func beginVisit(_ place: JSONPlace) {
    visit = GoogleTimelineVisits.Visit()
    visit.place.place = place
  }

  /// Keeps a visit until the paths of the file are known.
  mutating func endVisit(_ sink: inout some TrackSink) {
    guard visit.place.latitude != .missing || visit.place.longitude != .missing else { return }
    if visits.isFull { releaseVisits(&sink) }
    visits.add(visit)
  }

  /// Reports a fix for each start and each end of a visit that no path covers.
  mutating func releaseVisits(_ sink: inout some TrackSink) {
    var track = track
    visits.removeAll { place, time in
      var point = place
      point.time = time
      // A visit is a place on its own: no line leads to it. In one segment, its end would be
      // dropped as too close to its start.
      track.cut()
      track.add(point, &sink)
      track.cut()
    }
    self.track = track
  }
}
