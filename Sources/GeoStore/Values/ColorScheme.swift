/// Whether maps are light or dark.
///
/// ```swift
/// try await explorer.changeSettings { $0.colorScheme = .dark }
/// ```
public enum ColorScheme: Double, CaseIterable, Sendable {
  /// As the system has it, also when it changes.
  case system = 0
  /// Dark names on a light map.
  case light = 1
  /// Light names on a dark map.
  case dark = 2

  /// The name on the command line and in JSON.
  package var name: String { "\(self)" }
}
