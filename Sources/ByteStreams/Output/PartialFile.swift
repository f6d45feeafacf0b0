import Foundation

/// The file that an output is until it is whole: beside its place, its owner's alone, and locked
/// for as long as the process that writes it lives.
///
/// Its name is the output's, `.roqua-`, six letters and `.partial`. A process that is killed leaves
/// it without the lock, by which the next one to write the same output recognizes it.
package enum PartialFile {
  /// What stands between the name of the output and the six letters.
  static let mark = ".roqua-"
  /// What its name ends with. No store or backup is called so.
  static let ending = ".partial"
  /// Letters that `mkstemps` puts between the two.
  private static let letterCount = 6
  /// Bytes of the output's name that are kept: names have at most 255 bytes.
  private static let longestName = 255 - 7 - letterCount - 8
  /// What SQLite may have left beside a copy of a database.
  private static let suffixes = ["-journal", "-wal", "-shm"]

  /// Makes an empty file, whose descriptor is open to read and write and keeps the lock.
  ///
  /// - Throws: ``FileFailure`` of the output.
  static func make(beside path: String) throws(FileFailure) -> (descriptor: Int32, path: String) {
    let output = FilePath(path)
    let beginning = FilePath(output.folder).appending(shortened(output.name) + mark)
    while true {
      let (descriptor, partialPath) = InterruptCleanup.makeFile(beginning, ending: ending)
      guard descriptor >= 0, let partialPath else { throw FileFailure(path: path, code: errno) }
      // Between the two calls another process may have taken the file for an abandoned one.
      let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
      let isTaken =
        isLocked
        ? FileIdentity(descriptor: descriptor) != FileIdentity(path: partialPath)
        : errno == EWOULDBLOCK
      // A file system without locks: nobody can take it for an abandoned one there.
      guard isTaken else { return (descriptor, partialPath) }
      InterruptCleanup.remove(partialPath)
      close(descriptor)
    }
  }

  /// Removes what killed processes have left of an output.
  ///
  /// - Parameter kept: Files that are never removed, nor opened.
  static func removeAbandoned(of path: String, keeping kept: Set<FileIdentity>) {
    let output = FilePath(path)
    let beginning = shortened(output.name) + mark
    for name in names(in: output.folder) {
      guard name.hasPrefix(beginning), name.hasSuffix(ending),
        name.utf8.count == beginning.utf8.count + letterCount + ending.utf8.count
      else { continue }
      let path = FilePath(output.folder).appending(name)
      if let identity = FileIdentity(path: path), kept.contains(identity) { continue }
      guard FileLock.removeAbandoned(path, of: FileIdentity(path: output.text)) else { continue }
      for suffix in suffixes { unlink(path + suffix) }
    }
  }

  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > longestName else { return name }
    var name = name
    while name.utf8.count > longestName { name.removeLast() }
    return name
  }

  /// The names in a folder; none where it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let entries = opendir(folder) else { return [] }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      // Our own names are UTF-8; another one would not read back as the same file.
      if let name = String(validating: bytes, as: UTF8.self) { names.append(name) }
    }
    return names
  }
}
