/// The units in which people read distances, areas and speeds. The store and JSON are metric.
///
/// ```swift
/// try await explorer.changeSettings { $0.units = .imperial }
/// print(try await explorer.settings().units)
/// ```
public enum UnitSystem: Double, CaseIterable, Sendable {
  /// Meters, kilometers, square kilometers, meters per second.
  case metric = 0
  /// International feet and miles, square miles, miles per hour.
  case imperial = 1

  /// The name on the command line.
  package var name: String {
    switch self {
    case .metric: "metric"
    case .imperial: "imperial"
    }
  }
}
