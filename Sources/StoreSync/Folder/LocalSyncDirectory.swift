import ByteStreams
import Foundation

/// A sync folder in the file system: in a cloud drive's folder, on a stick or on a server.
///
/// Files and folders get the permissions that the umask leaves, since other programs and accounts
/// carry them, and what they contain is encrypted. Symbolic links below the folder are not
/// followed: nobody who writes into the folder chooses which other file is read or written.
package struct LocalSyncDirectory: SyncDirectory {
  /// The path of the folder.
  package let path: String
  /// The beginning of the names of files that are being written.
  package static let partialPrefix = ".roqua-part-"

  /// Creates a description of the folder at a path. Nothing is read or created.
  package init(path: String) { self.path = path }

  /// Creates the folder and its parents, if they do not exist.
  ///
  /// - Throws: ``SyncDirectoryError/failed(path:reason:)``.
  package func create() throws(SyncDirectoryError) {
    let code = FilePath(path).makeFolders().error
    guard code == 0 else { throw failure(path, code) }
  }

  package func entries(of folder: String) throws(SyncDirectoryError) -> [SyncDirectoryEntry] {
    guard let descriptor = try open(folder, creating: false) else { return [] }
    guard let stream = fdopendir(descriptor) else {
      let code = errno
      close(descriptor)
      throw failure(text(folder), code)
    }
    defer { closedir(stream) }
    var entries: [SyncDirectoryEntry] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      // Sound: the name is read in place, up to the zero byte at its end, which lies within the
      // entry.
      let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
      if bytes == [0x2e] || bytes == [0x2e, 0x2e] { continue }
      guard let name = String(validating: bytes, as: UTF8.self) else {
        entries.append(
          SyncDirectoryEntry(
            name: String(decoding: bytes, as: UTF8.self), byteCount: 0, modifiedMilliseconds: 0,
            isFile: false))
        continue
      }
      var status = stat()
      guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
        if errno == ENOENT { continue }  // removed meanwhile
        throw failure(text(folder, name), errno)
      }
      entries.append(
        SyncDirectoryEntry(
          name: name, byteCount: Int(status.st_size), modifiedMilliseconds: status.milliseconds,
          isFile: status.st_mode & S_IFMT == S_IFREG))
    }
    guard errno == 0 else { throw failure(text(folder), errno) }
    return entries
  }

  package func read(_ name: String, in folder: String, limit: Int) throws(SyncDirectoryError)
    -> [UInt8]
  {
    let path = text(folder, name)
    guard let directory = try open(folder, creating: false) else { throw .missing(path: path) }
    defer { close(directory) }
    // Without O_NONBLOCK, opening a pipe would wait for a writer.
    let descriptor = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(path, errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure(path, errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    guard status.st_size <= limit else { throw .tooLarge(path: path, limit: limit) }
    return try bytes(of: descriptor, size: Int(status.st_size), limit: limit, path)
  }

  package func write(_ bytes: [UInt8], to name: String, in folder: String)
    throws(SyncDirectoryError)
  {
    let path = text(folder, name)
    guard let directory = try open(folder, creating: true) else { throw .missing(path: path) }
    defer { close(directory) }
    var random = SystemRandomNumberGenerator()
    let partial = Self.partialPrefix + FileName(number: random.next()).hexadecimal
    let descriptor = openat(
      directory, partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw failure(path, errno) }
    var code = FilePath.write(bytes, to: descriptor)
    if code == 0, fsync(descriptor) != 0 { code = errno }
    // Some network file systems report a full disk only here.
    if close(descriptor) != 0, code == 0 { code = errno }
    if code == 0 { code = Self.place(partial, as: name, in: directory) }
    guard code == 0 else {
      unlinkat(directory, partial, 0)
      if code == EEXIST {
        let present = try? read(name, in: folder, limit: bytes.count)
        if present == bytes { return }
        throw .exists(path: path)
      }
      throw failure(path, code)
    }
    // The name is on the disk before this returns, as with `FilePath.flush(folder:)`. The open
    // folder is flushed, not the one that its path may lead to by now.
    _ = fsync(directory)
  }

  package func remove(_ name: String, in folder: String) throws(SyncDirectoryError) {
    guard let directory = try open(folder, creating: false) else { return }
    defer { close(directory) }
    guard unlinkat(directory, name, 0) == 0 || errno == ENOENT else {
      throw failure(text(folder, name), errno)
    }
  }
}

extension LocalSyncDirectory {
  /// The path of a folder, or of a name in it, for errors.
  private func text(_ folder: String, _ name: String = "") -> String {
    [folder, name].filter { !$0.isEmpty }.reduce(path) { FilePath($0).appending($1) }
  }

  /// Opens a folder; nil if it does not exist.
  private func open(_ folder: String, creating: Bool) throws(SyncDirectoryError) -> Int32? {
    let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC
    let root = Foundation.open(path, flags)
    guard root >= 0 else { throw failure(path, errno) }
    if folder.isEmpty { return root }
    defer { close(root) }
    if creating {
      if mkdirat(root, folder, 0o777) == 0 {
        _ = fsync(root)
      } else if errno != EEXIST {
        throw failure(text(folder), errno)
      }
    }
    let descriptor = openat(root, folder, flags | O_NOFOLLOW)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw failure(text(folder), errno) }
    return descriptor
  }

  private func failure(_ path: String, _ code: Int32) -> SyncDirectoryError {
    switch code {
    case ENOENT: .missing(path: path)
    case ELOOP, ENOTDIR, ENXIO: .notAFile(path: path)
    default: .failed(path: path, reason: FileFailure(path: path, code: code).reason)
    }
  }

  private func bytes(
    of descriptor: Int32, size: Int, limit: Int, _ path: String
  ) throws(SyncDirectoryError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(size, limit))
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      // Sound: `read` writes at most `count` bytes into the buffer, during the call.
      let count = chunk.withUnsafeMutableBytes {
        Foundation.read(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(path, errno) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      // It may grow while it is read.
      guard bytes.count <= limit else { throw .tooLarge(path: path, limit: limit) }
    }
  }

  /// Gives a file its name without replacing another; returns the system's error number.
  private static func place(_ partial: String, as name: String, in directory: Int32) -> Int32 {
    if linkat(directory, partial, directory, name, 0) == 0 {
      unlinkat(directory, partial, 0)
      return 0
    }
    let code = errno
    // Some file systems (FAT, many mounted cloud drives) have no links.
    guard [EPERM, ENOTSUP, EOPNOTSUPP, EMLINK, ENOSYS, EINVAL].contains(code) else { return code }
    var status = stat()
    if fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 { return EEXIST }
    guard errno == ENOENT else { return errno }
    return renameat(directory, partial, directory, name) == 0 ? 0 : errno
  }
}

extension stat {
  /// When the file was last changed, in milliseconds since 1970, rounded down.
  fileprivate var milliseconds: Int64 {
    #if canImport(Darwin)
      let time = st_mtimespec
    #else
      let time = st_mtim
    #endif
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
