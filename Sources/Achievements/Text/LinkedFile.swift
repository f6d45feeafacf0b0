import CAchievements

/// A file of `data/achievements`, linked into the program.
enum LinkedFile {
  /// The names and texts of all files.
  static let all: [(name: String, text: String)] = (0..<roqua_achievement_file_count()).map {
    let file = roqua_achievement_file_at($0)
    // Sound: the file is a constant of the program.
    let bytes = UnsafeRawBufferPointer(start: file.bytes, count: file.count)
    return (String(cString: file.name), String(decoding: bytes, as: UTF8.self))
  }

  /// The text of a file; empty if there is none of this name.
  static func text(_ name: String) -> String { all.first { $0.name == name }?.text ?? "" }
}
