/// Makes fixes of GeoJSON: positions of lines, and points that have a time.
///
/// - Source: RFC 7946; times of positions as in `coordTimes` and `coordinateProperties.times`.
struct GeoJSONBuilder: JSONBuilder {
  /// The open objects and arrays, by their place.
  enum Scope: UInt8 {
    case document
    /// An object that may be a feature, a collection of features, or a geometry.
    case feature
    /// `features`, or an array of features.
    case features
    /// `geometry`, or a member of `geometries`.
    case geometry
    case geometries
    case properties
    case coordinateProperties
    /// `coordinates`, and the arrays in it.
    case coordinates
    /// An array of times or accuracies, and the arrays in it.
    case list
  }

  /// The position that is read.
  struct Reading {
    /// The number of values read of the innermost array.
    var values = 0
    var point = JSONPoint()
    /// True if the next position starts a line.
    var startsLine = true
  }

  var track = JSONTrack()
  let clock: JSONClock
  var scopes: [Scope] = [.document]
  /// The last wanted member.
  var member = GeoJSONName.other
  var feature: GeoJSONFeature
  /// The type of the geometry that is read, and the index of its first position.
  var shape: GeoJSONShape?
  var firstPosition = 0
  var reading = Reading()
  /// The line of the feature that is read.
  var line = 1
  /// True if the last fix was one of a line.
  var wasLine = false
  /// True if a type of GeoJSON was found.
  var isRecognized = false

  /// A builder at the start of a file.
  ///
  /// - Parameter limit: the number of positions of a feature that wait for its times.
  init(latestTime: Int64, limit: Int) {
    clock = JSONClock(latestTime: latestTime)
    feature = GeoJSONFeature(limit: limit)
  }

  var scope: Scope { scopes.last ?? .document }

  // MARK: - Structure

  mutating func wants(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    switch scope {
    case .feature:
      member = GeoJSONName.named(name)
      return member != .other
    case .geometry:
      member = GeoJSONName.named(name)
      return member == .type || member == .geometries
        || (member == .coordinates && shape != .area)
    case .properties, .coordinateProperties:
      member = GeoJSONName.property(name)
      return member != .other
    default: return false
    }
  }

  mutating func open(
    _ container: JSONContainer, at place: JSONPlace, _ sink: inout some TrackSink
  ) -> Bool {
    if scope == .properties, member == .placeLocation, container == .object {
      feature.isSavedPlace = true
    }
    guard let inner = innerScope(container) else { return false }
    switch inner {
    case .feature:
      // An object in another one: what the outer one has is complete.
      endFeature(isComplete: true, &sink)
      (shape, firstPosition) = (nil, 0)
      line = place.line
    case .geometry: (shape, firstPosition) = (nil, feature.positions.count)
    case .coordinates:
      if scope == .coordinates {
        reading.values = 0
      } else {
        reading = Reading()
      }
      reading.point = JSONPoint()
      reading.point.place = place
    default: break
    }
    scopes.append(inner)
    return true
  }

  /// The scope of an object or array, if it is read.
  private func innerScope(_ container: JSONContainer) -> Scope? {
    switch (scope, container) {
    case (.document, .object), (.features, .object): .feature
    case (.document, .array): .features
    case (.feature, .object):
      member == .geometry ? .geometry : member == .properties ? .properties : nil
    case (.feature, .array), (.geometry, .array):
      switch member {
      case .features: .features
      case .geometries: .geometries
      case .coordinates: shape == .area ? nil : .coordinates
      default: nil
      }
    case (.geometries, .object): .geometry
    case (.properties, .object): member == .coordinateProperties ? .coordinateProperties : nil
    case (.properties, .array), (.coordinateProperties, .array):
      member == .time || member == .accuracy ? .list : nil
    case (.coordinates, .array): .coordinates
    case (.list, .array): .list
    default: nil
    }
  }

  mutating func close(isComplete: Bool, _ sink: inout some TrackSink) {
    let closed = scopes.popLast() ?? .document
    switch closed {
    case .feature:
      endGeometry()
      endFeature(isComplete: isComplete, &sink)
    case .geometry: endGeometry()
    case .coordinates:
      if reading.values == 0 {
        reading.startsLine = true
      } else {
        if isComplete { addPosition(&sink) }
        reading.values = 0
      }
    default: break
    }
  }

  mutating func damageArray() {
    if scope == .coordinates { reading.point.latitude = .invalid }
  }

  // MARK: - Values

  mutating func take(_ value: JSONPrimitive, _ sink: inout some TrackSink) {
    switch scope {
    case .coordinates:
      reading.values += 1
      switch reading.values {
      case 1: reading.point.takeLongitude(degrees: value.text)
      case 2: reading.point.takeLatitude(degrees: value.text)
      case 3: reading.point.elevation = value.number
      default: break
      }
    case .list:
      if member == .time {
        feature.addTime(clock.time(of: value, line: line, &sink))
      } else {
        feature.addAccuracy(value.accuracy)
      }
    case .feature, .geometry: if member == .type { takeType(value) }
    case .properties, .coordinateProperties: takeProperty(value, &sink)
    default: break
    }
  }

  private mutating func takeType(_ value: JSONPrimitive) {
    if let found = GeoJSONShape.named(value.text) {
      shape = found
      isRecognized = true
    } else if JSONNames.isOne(of: ["Feature", "FeatureCollection"], value.text) {
      isRecognized = true
    }
  }

  private mutating func takeProperty(_ value: JSONPrimitive, _ sink: inout some TrackSink) {
    guard !value.isNothing else { return }
    switch member {
    case .time:
      guard feature.time == nil else { return }
      feature.time = clock.time(of: value, line: line, &sink)
      feature.hasTime = true
    case .accuracy: feature.accuracy = feature.accuracy ?? value.accuracy
    case .hdop: feature.hdop = value.number
    case .placeAddress: feature.isSavedPlace = true
    case .speed: feature.speed = value.number.flatMap { $0 < 0 ? nil : $0 }
    default: break
    }
  }
}
