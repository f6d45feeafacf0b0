import Foundation

/// The file of an output until it is complete: next to its final path, private to its owner, and
/// locked while the process that writes it is running.
///
/// Its name is the output's, `.roqua-`, six letters and `.partial`. If the process is killed, the
/// file remains without a lock, and the next writer of the same output recognizes it.
package enum PartialFile {
  /// The part of its name between that of the output and the six letters.
  static let mark = ".roqua-"
  /// The end of its name, which no store or backup has.
  static let ending = ".partial"
  /// The letters that `mkstemps` inserts between the two.
  private static let letterCount = 6
  /// The number of bytes of the output's name that are used, since names have at most 255 bytes.
  private static let longestName = 255 - 7 - letterCount - 8
  /// The suffixes of files that SQLite may leave next to a copy of a database.
  private static let suffixes = ["-journal", "-wal", "-shm"]

  /// Creates an empty file. Its descriptor is open to read and write and holds the lock.
  ///
  /// - Throws: ``FileFailure`` of the output.
  static func make(nextTo path: String) throws(FileFailure) -> (descriptor: Int32, path: String) {
    let output = FilePath(path)
    let beginning = FilePath(output.folder).appending(shortened(output.name) + mark)
    while true {
      let (descriptor, partialPath) = TransientFile.make(beginning, ending: ending)
      guard descriptor >= 0, let partialPath else { throw FileFailure(path: path, code: errno) }
      // Between the two calls another process may have removed the file as abandoned.
      let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
      let isTaken =
        isLocked
        ? FileIdentity(descriptor: descriptor) != FileIdentity(path: partialPath)
        : errno == EWOULDBLOCK
      // On a file system without locks no process removes it as abandoned.
      guard isTaken else { return (descriptor, partialPath) }
      TransientFile.remove(partialPath)
      close(descriptor)
    }
  }

  /// Removes the partial files that killed processes left of an output.
  ///
  /// - Parameter kept: files that are neither removed nor opened.
  package static func removeAbandoned(of path: String, keeping kept: Set<FileIdentity> = []) {
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

  /// Whether a name is that of a partial file of any output.
  package static func isPartial(_ name: String) -> Bool {
    name.contains(mark) && name.hasSuffix(ending)
  }

  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > longestName else { return name }
    var name = name
    while name.utf8.count > longestName { name.removeLast() }
    return name
  }

  /// The names in a folder, with `.` and `..`; empty if it cannot be read.
  package static func names(in folder: String) -> [String] {
    guard let entries = opendir(folder) else { return [] }
    defer { closedir(entries) }
    var names: [String] = []
    while let entry = readdir(entries) {
      // Sound: the name is read in place, up to the zero byte at its end, which lies within the
      // entry.
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      // Partial files have UTF-8 names; another name would not convert back to the same bytes.
      if let name = String(validating: bytes, as: UTF8.self) { names.append(name) }
    }
    return names
  }
}
