import ByteStreams
import Foundation

/// The names of the files of profiles in the data folder.
enum ProfileFiles {
  /// The list of profiles.
  static let list = "profiles.json"
  /// A copy of the list, for the case that it is damaged.
  static let copy = "profiles.copy.json"
  /// A damaged list, after a repair.
  static let damaged = "profiles.damaged.json"
  /// The file that a process locks while it changes the list.
  static let lock = "profiles.lock"
  /// The folder with a folder for each profile.
  static let folder = "profiles"
  /// The folder in it with the erased profiles.
  static let erased = "erased"
  /// The end of the name of an erased profile that is being deleted.
  static let deleting = ".deleting"
  /// The store of a profile in its folder.
  static let store = "store.sqlite"

  /// The names that a profile may have in its folder. Those of the first profile are in the data
  /// folder itself, next to other files: only these are moved when it is erased. The store's own
  /// files come first: SQLite's, its encrypted file, the inbox and the tokens of `roqua serve`.
  static let names: [String] = {
    let endings = ["-wal", "-journal", "-shm"]
    let inbox = store + ".inbox"
    return [store] + endings.map { store + $0 } + [store + ".age"]
      + [inbox] + endings.map { inbox + $0 }
      + [store + ".tokens", store + ".serve", store + "-sync", "keys"]
  }()

  /// Whether something has this path, even if it is a symbolic link to nothing.
  static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Whether the path is a symbolic link.
  static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Moves a file or folder, and writes both names to disk: the list that is stored next must not
  /// be on disk without the move. Returns the system's error number, 0 for none.
  static func move(_ source: String, to target: String) -> Int32 {
    guard rename(source, target) == 0 else { return errno }
    for path in [target, source] { FilePath.flush(folder: FilePath(path).folder) }
    return 0
  }

  /// Deletes a file, or a folder with everything in it; a symbolic link is deleted, and not what it
  /// names. Returns the system's error number, 0 for none.
  static func delete(_ path: String) -> Int32 {
    var status = stat()
    guard lstat(path, &status) == 0 else { return errno == ENOENT ? 0 : errno }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      return unlink(path) == 0 || errno == ENOENT ? 0 : errno
    }
    for name in entries(of: path) {
      let code = delete(FilePath(path).appending(name))
      guard code == 0 else { return code }
    }
    return rmdir(path) == 0 || errno == ENOENT ? 0 : errno
  }

  /// Removes a folder if it is empty.
  static func removeEmptyFolder(_ path: String) { _ = rmdir(path) }

  /// The names in a folder, sorted; none if it cannot be read.
  static func entries(of folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }
}
