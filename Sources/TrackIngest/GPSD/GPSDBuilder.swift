import Geodesy

/// Makes a message of the members of one line of gpsd, in any order.
struct GPSDBuilder: JSONBuilder {
  /// The open objects and arrays.
  private enum Scope: UInt8 {
    case document, message, devices, device
  }

  /// The members that are read.
  private enum Name: UInt8 {
    case kind, device, path, mode, status, time, latitude, longitude
    case altitude, altitudeAboveSea, altitudeAboveEllipsoid, geoidSeparation
    case horizontalError, eastError, northError, speed
    case message, release, protocolMajor, used, seen, enable, activated, devices
    case other

    static func named(_ name: UnsafeBufferPointer<UInt8>) -> Name {
      let names: [(StaticString, Name)] =
        switch name.count {
        case 3:
          [
            ("lat", .latitude), ("lon", .longitude), ("alt", .altitude), ("eph", .horizontalError),
            ("epx", .eastError), ("epy", .northError),
          ]
        case 4:
          [
            ("time", .time), ("mode", .mode), ("path", .path), ("uSat", .used), ("nSat", .seen),
          ]
        case 5: [("class", .kind), ("speed", .speed)]
        case 6:
          [
            ("device", .device), ("status", .status), ("altMSL", .altitudeAboveSea),
            ("altHAE", .altitudeAboveEllipsoid), ("enable", .enable),
          ]
        case 7: [("message", .message), ("release", .release), ("devices", .devices)]
        case 8: [("geoidSep", .geoidSeparation)]
        case 9: [("activated", .activated)]
        case 11: [("proto_major", .protocolMajor)]
        default: []
        }
      return names.first { JSONNames.matches(name, $0.0) }?.1 ?? .other
    }
  }

  /// The classes of messages.
  private enum Kind: UInt8 {
    case version, devices, device, watch, report, sky, deviation, error, other

    static func named(_ name: UnsafeBufferPointer<UInt8>) -> Kind {
      let kinds: [(StaticString, Kind)] = [
        ("TPV", .report), ("SKY", .sky), ("GST", .deviation), ("WATCH", .watch),
        ("VERSION", .version), ("DEVICES", .devices), ("DEVICE", .device), ("ERROR", .error),
      ]
      return kinds.first { JSONNames.isOne(of: [$0.0], name) }?.1 ?? .other
    }
  }

  /// A value of "activated", which is the time 0 or the empty text for a removed device.
  private enum Activation: UInt8 {
    case missing, active, inactive
  }

  /// The most devices that are remembered of a message.
  private static let mostDevices = 16

  /// The time in milliseconds since 1970 after which times are impossible.
  private let latestTime: Int64
  private var scopes: [Scope] = [.document]
  private var member = Name.other
  private var kind = Kind.other
  private var point = JSONPoint()
  private var device: String?
  /// The time that is stated, also an impossible one.
  private var statedTime: Int64?
  /// Whether a time is stated that is impossible or cannot be read.
  private var hasImpossibleTime = false
  private var path: String?
  private var paths: [String] = []
  private var mode: Int64 = 0
  private var status: Int64 = 0
  private var altitudeAboveSea: Double?
  private var altitudeAboveEllipsoid: Double?
  private var geoidSeparation: Double?
  private var horizontalError: Double?
  private var eastError: Double?
  private var northError: Double?
  /// The numbers `lat` and `lon`, which are deviations in meters in GST.
  private var latitudeNumber: Double?
  private var longitudeNumber: Double?
  private var text: String?
  private var release: String?
  private var protocolMajor: Int?
  private var used: Int?
  private var seen: Int?
  private var isEnabled = true
  private var activation = Activation.missing
  /// The message, once its object is closed.
  private(set) var message: GPSDMessage?

  /// A builder for one line. Times after `latestTime`, in milliseconds since 1970, are impossible.
  init(latestTime: Int64) { self.latestTime = latestTime }

  private var scope: Scope { scopes.last ?? .document }

  mutating func wants(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
    member = Name.named(name)
    return scope == .device ? member == .path : member != .other
  }

  mutating func open(
    _ container: JSONContainer, at place: JSONPlace, _ sink: inout some TrackSink
  ) -> Bool {
    switch (scope, container) {
    case (.document, .object): scopes.append(.message)
    case (.message, .array) where member == .devices: scopes.append(.devices)
    case (.devices, .object): scopes.append(.device)
    default: return false
    }
    return true
  }

  mutating func close(isComplete: Bool, _ sink: inout some TrackSink) {
    let closed = scopes.popLast() ?? .document
    guard closed == .message, isComplete, message == nil else { return }
    message = finished()
  }

  mutating func damageArray() {}

  mutating func take(_ value: JSONPrimitive, _ sink: inout some TrackSink) {
    switch scope {
    case .device:
      if member == .path, let path = Self.text(value), paths.count < Self.mostDevices {
        paths.append(path)
      }
    case .message: takeMember(value)
    case .document, .devices: break
    }
  }

  private mutating func takeMember(_ value: JSONPrimitive) {
    switch member {
    case .kind: kind = value.isString ? Kind.named(value.text) : .other
    case .device: device = Self.text(value)
    case .path: path = Self.text(value)
    case .mode: mode = value.isString ? 0 : value.integer ?? 0
    case .status: status = value.isString ? 0 : value.integer ?? 0
    case .time:
      statedTime = value.isNothing ? nil : JSONClock.milliseconds(value)
      point.time = statedTime.flatMap { $0 >= 0 && $0 <= latestTime ? $0 : nil }
      hasImpossibleTime = !value.isNothing && point.time == nil
    case .latitude:
      point.takeLatitude(degrees: value.text)
      latitudeNumber = value.number
    case .longitude:
      point.takeLongitude(degrees: value.text)
      longitudeNumber = value.number
    case .altitude: point.elevation = value.number
    case .altitudeAboveSea: altitudeAboveSea = value.number
    case .altitudeAboveEllipsoid: altitudeAboveEllipsoid = value.number
    case .geoidSeparation: geoidSeparation = value.number
    case .horizontalError: horizontalError = value.accuracy
    case .eastError: eastError = value.number
    case .northError: northError = value.number
    case .speed: point.speed = value.number.flatMap { $0 < 0 ? nil : $0 }
    case .message: text = Self.text(value)
    case .release: release = Self.text(value)
    case .protocolMajor: protocolMajor = Self.count(value)
    case .used: used = Self.count(value)
    case .seen: seen = Self.count(value)
    case .enable: isEnabled = !JSONNames.isOne(of: ["false"], value.text)
    case .activated:
      activation = value.isNothing || value.number == 0 ? .inactive : .active
    case .devices, .other: break
    }
  }

  private func finished() -> GPSDMessage {
    switch kind {
    case .version: return .version(release: release, protocolMajor: protocolMajor)
    case .devices: return .devices(paths)
    case .device: return .device(path: path, isActive: activation != .inactive)
    case .watch: return .watch(isEnabled: isEnabled)
    case .sky: return .sky(used: used, seen: seen)
    case .error: return .error(text ?? "no reason given")
    case .report: return .report(report())
    case .deviation:
      guard let latitudeNumber, let longitudeNumber else { return .other }
      let meters =
        (latitudeNumber * latitudeNumber + longitudeNumber * longitudeNumber).squareRoot()
      return .deviation(GPSDDeviation(device: device, time: point.time, meters: meters))
    case .other: return .other
    }
  }

  /// Status 8 is a simulator, whose positions an NMEA log does not have either.
  private static let simulatorStatus: Int64 = 8

  private func report() -> GPSDReport {
    let hasFix = (2...3).contains(mode) && status != Self.simulatorStatus
    var report = GPSDReport(device: device, hasFix: hasFix, fix: nil)
    guard hasFix, let coordinate = point.coordinate else { return report }
    var fix = point.fix(at: coordinate)
    fix.elevationMeters = mode == 3 ? elevationMeters : nil
    fix.horizontalAccuracyMeters =
      if let horizontalError {
        GPSDAccuracy.meters(eph: horizontalError)
      } else if let eastError, let northError {
        GPSDAccuracy.meters(epx: eastError, epy: northError)
      } else {
        nil
      }
    report.fix = fix
    report.statedTime = statedTime
    report.hasImpossibleTime = hasImpossibleTime
    return report
  }

  /// Meters above mean sea level. `alt` is the same in gpsd before 3.20.
  private var elevationMeters: Double? {
    if let altitudeAboveSea { return altitudeAboveSea }
    if let altitudeAboveEllipsoid, let geoidSeparation {
      return altitudeAboveEllipsoid - geoidSeparation
    }
    return point.elevation
  }

  /// A count of at most a million; nil for any other value.
  private static func count(_ value: JSONPrimitive) -> Int? {
    guard !value.isString, let count = value.integer, (0...1_000_000).contains(count) else {
      return nil
    }
    return Int(count)
  }

  /// A text that is not empty; nil if it is longer than ``JSONLimits/valueBytes``.
  private static func text(_ value: JSONPrimitive) -> String? {
    guard value.isString, !value.text.isEmpty else { return nil }
    return String(decoding: value.text, as: UTF8.self)
  }
}
