import ByteStreams
import Foundation
import TrackIngest

/// A file to be imported.
struct FoundFile: Hashable, Sendable {
  /// The path as bytes, for the system: names need not be UTF-8. Nil for standard input.
  let systemPath: [CChar]?
  /// The path as given, joined with the path below it, for display and reports.
  let path: String
  /// True if the file is imported or refused, but never just ignored: the user named it, or its
  /// name is that of a track. An archive is imported if any of its members is.
  let isClaimedTrack: Bool
  /// The error found while looking for the file, if any; the file is then reported as refused.
  var failure: IngestError?
  /// The file's length; nil for a pipe and the like.
  var byteCount: Int?
}

/// Looks for files to import.
extension FoundFile {
  /// Returns the files at the given paths: files as they are, folders with all files below them,
  /// `-` for standard input. The order is that of the arguments; below a folder, that of the names'
  /// bytes. Links are followed; a folder that contains itself is entered once. A link that leads
  /// nowhere is refused if it is named like a track.
  ///
  /// - Parameters:
  ///   - kept: files that must not be opened, and what each is. If named they are refused, in a
  ///     folder they are skipped.
  ///   - isCancelled: called before each file and folder; once it returns true, the rest is left
  ///     out.
  static func find(
    _ paths: [String], without kept: [FileIdentity: String] = [:],
    unless isCancelled: () -> Bool = { false }
  ) -> [FoundFile] {
    var found: [FoundFile] = []
    for path in paths {
      if path == "-" {
        found.append(FoundFile(systemPath: nil, path: "-", isClaimedTrack: true))
        continue
      }
      var visited: Set<FileIdentity> = []
      look(
        at: Array(path.utf8CString), shown: path, isNamed: true, without: kept,
        unless: isCancelled, visited: &visited, into: &found)
    }
    return found
  }

  private static func look(
    at systemPath: [CChar], shown path: String, isNamed: Bool, without kept: [FileIdentity: String],
    unless isCancelled: () -> Bool, visited: inout Set<FileIdentity>, into found: inout [FoundFile]
  ) {
    if isCancelled() { return }
    var status = stat()
    guard stat(systemPath, &status) == 0 else {
      let code = errno
      if isNamed {
        found.append(refused(path, error(code)))
      } else if code != ELOOP, claimsTrack(path: path) {
        // A file that was removed meanwhile is skipped, and so is a link to itself.
        let isThere = lstat(systemPath, &status) == 0
        guard isThere || code != ENOENT && code != ENOTDIR else { return }
        found.append(refused(path, isThere && isLink(status) ? linkError(code) : error(code)))
      }
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      guard visited.insert(FileIdentity(status)).inserted else { return }
      lookInside(
        systemPath, shown: path, without: kept, unless: isCancelled, visited: &visited,
        into: &found)
    case S_IFREG:
      if let name = kept[FileIdentity(status)] {
        let failure = IngestError(code: .unknownFormat, message: "It is \(name).")
        if isNamed { found.append(refused(path, failure)) }
        return
      }
      let isClaimed = isNamed || claimsTrack(path: path)
      found.append(
        FoundFile(
          systemPath: systemPath, path: path, isClaimedTrack: isClaimed,
          byteCount: Int(status.st_size)))
    default:
      // A pipe is read if the user names it; pipes, sockets and devices below a folder are skipped.
      if isNamed {
        found.append(FoundFile(systemPath: systemPath, path: path, isClaimedTrack: true))
      }
    }
  }

  private static func lookInside(
    _ systemPath: [CChar], shown path: String, without kept: [FileIdentity: String],
    unless isCancelled: () -> Bool, visited: inout Set<FileIdentity>, into found: inout [FoundFile]
  ) {
    // In a folder that may be listed and not searched, no file can be found.
    guard access(systemPath, X_OK) == 0, let folder = opendir(systemPath) else {
      found.append(refused(path, error(errno)))
      return
    }
    var names: [[UInt8]] = []
    while let entry = readdir(folder) {
      // Sound: the name is read in place, up to the zero byte at its end, which lies within the
      // entry.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if name != Array(".".utf8), name != Array("..".utf8) { names.append(name) }
    }
    closedir(folder)
    names.sort { $0.lexicographicallyPrecedes($1) }
    var isTooDeep = false
    for name in names {
      let slash = systemPath.dropLast().last == CChar(bitPattern: UInt8(ascii: "/")) ? "" : "/"
      let below =
        Array(systemPath.dropLast()) + slash.utf8.map { CChar(bitPattern: $0) }
        + name.map { CChar(bitPattern: $0) } + [0]
      guard below.count <= Int(PATH_MAX) else {
        // Nobody can look at it, whatever it is; said once for the folder.
        if !isTooDeep { found.append(refused(path, error(ENAMETOOLONG))) }
        isTooDeep = true
        continue
      }
      look(
        at: below, shown: path + slash + String(decoding: name, as: UTF8.self), isNamed: false,
        without: kept, unless: isCancelled, visited: &visited, into: &found)
    }
  }

  private static func isLink(_ status: stat) -> Bool { status.st_mode & S_IFMT == S_IFLNK }

  /// The error for a symbolic link that leads nowhere.
  private static func linkError(_ code: Int32) -> IngestError {
    code == ENOENT || code == ENOTDIR
      ? IngestError(code: .notFound, message: "It is a link to a file that does not exist.")
      : error(code)
  }

  /// A path that does not exist or cannot be read.
  private static func refused(_ path: String, _ failure: IngestError) -> FoundFile {
    FoundFile(systemPath: nil, path: path, isClaimedTrack: true, failure: failure)
  }

  /// The error for a file that corresponds to an error number of the system.
  static func error(_ code: Int32) -> IngestError {
    code == ENOENT || code == ENOTDIR
      ? IngestError(code: .notFound, message: "There is no such file or folder.")
      : IngestError(
        code: .unreadable, message: "It cannot be read: \(String(cString: strerror(code))).")
  }
}
