import ByteStreams
import Foundation
import SQLiteLayer

/// Writes the files of an archive under other names, until all of them are whole.
final class Unpacker {
  /// Where the store will be.
  private let target: String
  /// The path of the archive, for messages.
  private let lockedPath: String
  private var outputs: [(file: StoreFile, output: OutputFile)] = []
  private var seen: Set<StoreFile> = []
  private var current: Member?

  private struct Member {
    let file: StoreFile
    /// Nil if the file is there already, and only compared.
    let output: OutputFile?
    var hash = SHA256()
    var head: [UInt8] = []
  }

  /// Unpacks an archive.
  init(to target: String, from lockedPath: String) {
    (self.target, self.lockedPath) = (target, lockedPath)
  }

  /// Takes the next part of the archive.
  func take(_ event: TarParser.Event) throws {
    switch event {
    case .member(let header): try begin(header)
    case .bytes(let bytes):
      current?.hash.update(bytes)
      if let head = current?.head, head.count < DatabaseFile.magic.count {
        current?.head += bytes.prefix(DatabaseFile.magic.count - head.count)
      }
      if let output = current?.output, !output.write(Array(bytes)) { try finish(output) }
    case .endOfMember: try end()
    }
  }

  private func begin(_ header: TarHeader) throws {
    guard let file = StoreFile(name: header.name) else {
      throw LockError.unknownContents(path: lockedPath, name: header.name)
    }
    guard seen.isEmpty == (file == .store), seen.insert(file).inserted else {
      throw LockError.damaged(path: lockedPath, reason: "its files are in another order")
    }
    let path = file.path(of: target)
    if file.ending.hasPrefix(StoreFile.syncFolder) {
      let folder = target + StoreFile.syncFolder
      guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
        throw LockError(FileFailure(path: folder, code: errno))
      }
    }
    guard LockPlace.kind(of: path) == nil else {
      current = Member(file: file, output: nil)
      return
    }
    do throws(OutputFailure) {
      current = Member(file: file, output: try OutputFile(path: path, replacing: false))
    } catch {
      throw LockError(error)
    }
  }

  private func end() throws {
    guard let member = current else { return }
    current = nil
    if member.file == .store {
      guard member.head == DatabaseFile.magic else {
        throw LockError.damaged(path: lockedPath, reason: "it holds no database")
      }
    }
    let path = member.file.path(of: target)
    guard let output = member.output else {
      // A program that was killed has restored it, or not removed it.
      guard try StoreFile.digest(of: path) == member.hash.finalize(),
        StoreFile.hasNoLogs(path)
      else { throw LockError.stray(path: path) }
      return
    }
    outputs.append((member.file, output))
  }

  /// Gives the files their names, the store at last.
  ///
  /// - Parameter place: called before each, and before the store is placed.
  func place(before place: (StoreFile) throws -> Void) throws {
    guard seen.contains(.store) else {
      throw LockError.damaged(path: lockedPath, reason: "it holds no store")
    }
    for (file, output) in outputs.reversed() {
      try place(file)
      try finish(output)
    }
  }

  private func finish(_ output: OutputFile) throws(LockError) {
    do throws(OutputFailure) {
      try output.finish()
    } catch {
      throw LockError(error)
    }
  }
}
