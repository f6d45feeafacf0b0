import ByteStreams
import Foundation

/// The tokens of a store: a file next to it, which only its owner can read. One line for each:
/// name, scope and hash, separated by tabs.
package struct TokenFile: Sendable {
  /// The path of the file.
  package let path: String

  /// The file of a store.
  package init(ofStore store: String) { path = FilePath(store).resolved + ".tokens" }

  /// Why the file cannot be used.
  package enum Failure: Error, Hashable, CustomStringConvertible {
    case unreadable(path: String, reason: String)
    case damaged(path: String, line: Int)
    case readable(path: String)
    case unwritable(path: String, reason: String)

    package var description: String {
      switch self {
      case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
      case .damaged(let path, let line): "\(path), line \(line): not a token; remove the line"
      case .readable(let path):
        "\(path): other users can read or change it; make it private (chmod 600)"
      case .unwritable(let path, let reason): "\(path): cannot be written: \(reason)"
      }
    }
  }

  /// Reads the tokens; none if there is no file.
  ///
  /// - Throws: ``Failure``.
  package func read() throws(Failure) -> [AccessToken] {
    var status = stat()
    guard stat(path, &status) == 0 else {
      if errno == ENOENT { return [] }
      throw .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
    guard status.st_mode & 0o077 == 0 else { throw .readable(path: path) }
    guard let bytes = FileManager.default.contents(atPath: path) else {
      throw .unreadable(path: path, reason: String(cString: strerror(errno)))
    }
    var tokens: [AccessToken] = []
    let lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 3, AccessToken.reasonToRefuse(name: fields[0]) == nil,
        let scope = AccessToken.Scope(rawValue: fields[1]), fields[2].utf8.count == 64
      else { throw .damaged(path: path, line: index + 1) }
      tokens.append(AccessToken(name: fields[0], scope: scope, hash: fields[2]))
    }
    return tokens
  }

  /// Replaces the tokens. The file has its old or its new contents whenever the program ends.
  ///
  /// - Throws: ``Failure``; the old file is unchanged then.
  package func write(_ tokens: [AccessToken]) throws(Failure) {
    let (_, code) = FilePath(FilePath(path).folder).makeFolders()
    guard code == 0 else { throw unwritable(code) }
    let lines = tokens.map { "\($0.name)\t\($0.scope.rawValue)\t\($0.hash)\n" }.joined()
    do throws(OutputFailure) {
      let file = try OutputFile(path: path, replacing: true)
      _ = file.write(Array(lines.utf8))
      try file.finish()
    } catch {
      let reason =
        switch error {
        case .exists: "another file appeared in its place"
        case .failed(let failure): failure.reason
        }
      throw .unwritable(path: path, reason: reason)
    }
  }

  /// Changes the tokens while no other process does.
  ///
  /// The lock is that of the file itself, which is created if it is missing. Since the file is
  /// replaced, one that another process has locked before may be the old one by the time it is
  /// free: then the new one is locked.
  ///
  /// - Throws: ``Failure``, and what `body` throws; the old file is unchanged then.
  package func change(_ body: (inout [AccessToken]) throws -> Void) throws {
    let (made, code) = FilePath(FilePath(path).folder).makeFolders()
    guard code == 0 else { throw unwritable(code) }
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw unwritable(errno) }
      defer { FileLock.release(descriptor) }
      let code = FileLock.take(descriptor, waiting: true)
      guard code == 0 else { throw unwritable(code) }
      guard FileIdentity(descriptor: descriptor) == FileIdentity(path: path) else { continue }
      do {
        var tokens = try read()
        try body(&tokens)
        return try write(tokens)
      } catch {
        // What was created for nothing is removed again.
        if FileIdentity(descriptor: descriptor) == FileIdentity(path: path), isEmpty(descriptor) {
          unlink(path)
          for folder in made.reversed() { rmdir(folder) }
        }
        throw error
      }
    }
  }

  private func isEmpty(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_size == 0
  }

  private func unwritable(_ code: Int32) -> Failure {
    .unwritable(path: path, reason: FileFailure(path: path, code: code).reason)
  }

  /// What changes when the file does: its time and its number.
  package var stamp: [Int] {
    var status = stat()
    guard stat(path, &status) == 0 else { return [] }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return [Int(time.tv_sec), Int(time.tv_nsec), Int(status.st_ino), Int(status.st_size)]
  }
}
