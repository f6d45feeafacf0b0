import Geodesy

/// Positions and features that are complete.
extension GeoJSONBuilder {
  /// Adds a complete position to the feature.
  mutating func addPosition(_ sink: inout some TrackSink) {
    var position = GeoJSONFeature.Position()
    if let coordinate = reading.point.coordinate {
      position.latitudeE7 = coordinate.latitudeE7
      position.longitudeE7 = coordinate.longitudeE7
    } else {
      position.flaw = reading.point.latitude == .missing ? 1 : 2
    }
    position.elevation = reading.point.elevation ?? .nan
    position.place = reading.point.place
    position.shape = shape
    position.startsLine = reading.startsLine
    reading.startsLine = false
    if feature.positions.count == feature.limit { beginStreaming(&sink) }
    if feature.isStreaming {
      report(position, time: nil, accuracy: nil, &sink)
    } else {
      feature.positions.append(position)
    }
  }

  /// Reports the positions of a feature that has too many to wait for its times.
  private mutating func beginStreaming(_ sink: inout some TrackSink) {
    endGeometry()
    feature.isStreaming = true
    if shape == nil {
      sink.warn(
        .leftOut, line: line,
        "A feature has more than \(GroupedNumber.text(feature.limit)) positions before its type; "
          + "they were left out.")
    }
    for position in feature.positions { report(position, time: nil, accuracy: nil, &sink) }
    feature.positions.removeAll()
    firstPosition = 0
  }

  /// Gives the positions of a geometry their type, which may come after them.
  mutating func endGeometry() {
    guard firstPosition < feature.positions.count else { return }
    for index in firstPosition..<feature.positions.count { feature.positions[index].shape = shape }
    firstPosition = feature.positions.count
  }

  /// Reports the positions of a feature.
  ///
  /// - Parameter isComplete: false if the file ends in the feature: then its points are left out,
  ///   since their times may be missing.
  mutating func endFeature(isComplete: Bool, _ sink: inout some TrackSink) {
    if feature.isStreaming, !feature.times.isEmpty || feature.hasTime && feature.hasUndatedPoints {
      sink.warn(
        .leftOut, line: line,
        "A feature has more than \(GroupedNumber.text(feature.limit)) positions; they were read "
          + "without times.")
    }
    let positions = feature.positions
    var hasTimes = feature.times.count == positions.count && !feature.hasTooManyTimes
    if !hasTimes, !positions.isEmpty, !feature.times.isEmpty {
      sink.warn(
        .impossibleTime, line: line,
        "A feature has \(GroupedNumber.text(feature.times.count)) times for "
          + "\(GroupedNumber.text(positions.count)) positions; the times were ignored.")
    }
    if !isComplete { hasTimes = false }
    let hasAccuracies = feature.accuracies.count == positions.count
    for (index, position) in positions.enumerated() {
      guard isComplete || position.shape?.isLine == true else { continue }
      let time = hasTimes ? feature.times[index] : GeoJSONFeature.noTime
      let accuracy = hasAccuracies ? feature.accuracies[index] : .nan
      report(
        position, time: time == GeoJSONFeature.noTime ? nil : time,
        accuracy: accuracy.isNaN ? nil : accuracy, &sink)
    }
    feature.reset()
  }

  /// Reports one position: of a line or with a time as a fix; else, and if it is a saved place, as
  /// a waypoint.
  private mutating func report(
    _ position: GeoJSONFeature.Position, time: Int64?, accuracy: Double?,
    _ sink: inout some TrackSink
  ) {
    guard let shape = position.shape, shape.isLine || shape.isPoint else { return }
    var point = feature.point(position)
    point.accuracy = accuracy ?? point.accuracy
    if shape.isLine {
      // The time of a whole line is not that of its positions.
      if position.startsLine || !wasLine { track.cut() }
      point.time = time
      track.add(point, &sink)
    } else if !feature.isSavedPlace, feature.hasTime || !feature.times.isEmpty {
      if wasLine { track.cut() }
      point.time = time ?? feature.time
      track.add(point, &sink)
    } else {
      track.addWaypoint(point, &sink)
      feature.hasUndatedPoints = true
      return
    }
    wasLine = shape.isLine
  }
}
