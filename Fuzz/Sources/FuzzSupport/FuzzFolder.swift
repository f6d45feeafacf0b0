import Foundation

/// A folder for files that are read by path: in memory if the system has such a folder. It is
/// removed when the fuzzer exits.
public enum FuzzFolder {
  /// The folder.
  public static let path: String = {
    let base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
    let folder = base + "/roqua-fuzz-\(getpid())"
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(atPath: FuzzFolder.path) }
    return folder
  }()

  /// The path of a file in the folder.
  public static func file(_ name: String) -> String { path + "/" + name }

  /// The names of all files in the folder.
  public static var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }

  /// The bytes of a file; nil if it does not exist.
  public static func read(_ name: String) -> [UInt8]? {
    FileManager.default.contents(atPath: file(name)).map { [UInt8]($0) }
  }

  /// Writes a file.
  public static func write(_ bytes: [UInt8], to name: String) {
    let isWritten = FileManager.default.createFile(atPath: file(name), contents: Data(bytes))
    require(isWritten, "\(name) cannot be written")
  }

  /// Removes files, if they exist.
  public static func remove(_ names: [String]) {
    for name in names { unlink(file(name)) }
  }
}
