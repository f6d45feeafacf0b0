import ByteStreams

/// The identification of a profile: 16 random bytes, written as 32 lowercase hexadecimal digits.
///
/// A profile keeps its identification when it is renamed. Its store carries it too, so that the
/// store of one profile is never taken for that of another.
///
/// ```swift
/// import Profiles
///
/// let folder = ProfileFolder(path: "/path/to/data")
/// let id = ProfileID("5d0f2b6c8a914e37b1c6f0a2d4e89b73")
/// let profile = try folder.registry()?.profiles.first { $0.id == id }
/// print(profile?.name ?? "no such profile")
/// ```
public struct ProfileID: Hashable, Sendable {
  /// The 32 digits.
  public let text: String

  /// The number of digits.
  static let digitCount = 32

  /// Creates a new identification from the system's random number generator.
  package init() {
    var generator = SystemRandomNumberGenerator()
    self.init(using: &generator)
  }

  /// Creates a new identification from a generator of random numbers.
  init(using generator: inout some RandomNumberGenerator) {
    let bytes = (0..<Self.digitCount / 2).map { _ in
      UInt8.random(in: .min ... .max, using: &generator)
    }
    text = Hexadecimal.text(bytes)
  }

  /// Creates an identification from its 32 lowercase hexadecimal digits; nil if the text is
  /// anything else.
  public init?(_ text: String) {
    guard text.utf8.count == Self.digitCount, Hexadecimal.bytes(lowercase: text) != nil else {
      return nil
    }
    self.text = text
  }
}
