/// What a name in a sync folder means. Programs that carry files rename, hide and half-copy them,
/// each in its own way.
package enum FoundName: Hashable, Sendable {
  /// The file of this path.
  case file(SyncPath)
  /// A file that a program renamed because it found two of one name. It is as good as the file
  /// itself: its code proves whether it is.
  case copy(SyncPath)
  /// A file that a cloud drive has not downloaded.
  case placeholder(SyncPath)
  /// A file that another program is still copying, or has given up copying.
  case arriving(SyncPath)
  /// A file that this program was writing when it ended.
  case partial
  /// What belongs to the folder and is not read: the text for people, the four folders, and the
  /// files with which operating systems and cloud drives keep their accounts.
  case ignored
  /// Anything else.
  case unknown

  /// The name of the text for people.
  package static let about = "About this folder.txt"

  /// Reads a name.
  ///
  /// - Parameter folder: the folder, or the empty text for the sync folder itself.
  package init(_ name: String, in folder: String) {
    let bytes = Array(name.utf8)
    if let (path, isCopy) = Self.path(of: bytes, in: folder) {
      self = isCopy ? .copy(path) : .file(path)
    } else if name.hasPrefix(LocalSyncDirectory.partialPrefix) {
      self = .partial
    } else if let path = Self.placeholder(name, in: folder) {
      self = .placeholder(path)
    } else if let path = Self.arriving(name, in: folder) {
      self = .arriving(path)
    } else if Self.isIgnored(name, in: folder) {
      self = .ignored
    } else {
      self = .unknown
    }
  }

  /// The path that a name stands for, and whether it was renamed.
  ///
  /// All programs keep the beginning of the name and the ending, and put their mark between them or
  /// after the ending. The marks are translated into the language of the person, so any mark counts
  /// that does not continue the name itself.
  private static func path(of name: [UInt8], in folder: String) -> (SyncPath, isCopy: Bool)? {
    // A file system may have changed the case of letters.
    let lower = name.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
    if lower != name, let (path, end) = SyncPath.stem(of: lower, in: folder),
      lower[end...].elementsEqual(ending)
    {
      return (path, true)
    }
    guard let (path, end) = SyncPath.stem(of: name, in: folder) else { return nil }
    let rest = name[end...]
    if rest.elementsEqual(ending) { return (path, false) }
    guard let first = rest.first else { return nil }
    if rest.starts(with: ending) {
      let mark = String(decoding: rest.dropFirst(ending.count), as: UTF8.self).lowercased()
      let isCopy = marksAfterEnding.contains { mark.hasPrefix($0) }
      return isCopy ? (path, true) : nil
    }
    let isMark = first >= 0x80 || !isLetterOrDigit(first)
    let isWhole = rest.count > ending.count && rest.suffix(ending.count).elementsEqual(ending)
    return isMark && isWhole ? (path, true) : nil
  }

  private static let ending = Array(SyncPath.ending.utf8)

  /// The marks of programs that put them after the ending.
  private static let marksAfterEnding = [
    " ", "(", "[", ".conflict", ".sync-conflict", "_conflict", "-conflict",
  ]

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    default: false
    }
  }

  /// ".NAME.icloud", in older systems ".NAME-tef.icloud" (iCloud before macOS 14); "NAME.nextcloud"
  /// and the like.
  private static func placeholder(_ name: String, in folder: String) -> SyncPath? {
    if name.hasPrefix("."), name.hasSuffix(".icloud") {
      var inner = name.dropFirst().dropLast(7)
      if inner.hasSuffix("-tef") { inner = inner.dropLast(4) }
      return path(of: Array(inner.utf8), in: folder)?.0
    }
    for ending in [".nextcloud", ".owncloud", ".opencloud", ".cloud"] where name.hasSuffix(ending) {
      return path(of: Array(name.dropLast(ending.count).utf8), in: folder)?.0
    }
    return nil
  }

  /// A name between the marks of a program that copies: ".syncthing.NAME.tmp", ".NAME.Qx71Za"
  /// (rsync), "NAME.1a2b3c4d.partial" (rclone), "NAME.part" and many more. All keep the whole name.
  private static func arriving(_ name: String, in folder: String) -> SyncPath? {
    // Files in which macOS keeps attributes on other file systems.
    if name.hasPrefix("._") { return nil }
    for prefix in [".syncthing.", "~syncthing~", ".~", "~$", "~", ".", ""]
    where name.hasPrefix(prefix) {
      let bytes = Array(name.dropFirst(prefix.count).utf8)
      guard SyncPath.stem(of: bytes, in: folder) != nil else { continue }
      guard let start = bytes.indices.first(where: { bytes[$0...].starts(with: ending) })
      else { return nil }
      let end = start + ending.count
      let mark = String(decoding: bytes[end...], as: UTF8.self).lowercased()
      guard
        !prefix.isEmpty || mark.hasPrefix("~") || arrivingEndings.contains(where: mark.hasSuffix)
      else { return nil }
      return path(of: Array(bytes[..<end]), in: folder)?.0
    }
    return nil
  }

  /// How names end that programs give to files while they copy or download them.
  private static let arrivingEndings = [
    ".partial", ".part", ".filepart", ".tmp", ".temp", ".crdownload", ".download", ".opdownload",
    ".aria2", ".!sync", ".bts", ".uploading",
  ]

  private static func isIgnored(_ name: String, in folder: String) -> Bool {
    if folder.isEmpty, ignoredAtTop.contains(name) { return true }
    return ignoredNames.contains(name) || ignoredPrefixes.contains { name.hasPrefix($0) }
  }

  private static let ignoredAtTop: Set = [
    about, SyncPath.keys, SyncPath.devices, SyncPath.sources, SyncPath.backups,
  ]

  private static let ignoredNames: Set = [
    ".DS_Store", ".localized", "Icon\r", ".fseventsd", ".Spotlight-V100", ".Trashes",
    ".TemporaryItems", ".apdisk", "desktop.ini", "Thumbs.db", "$RECYCLE.BIN",
    "System Volume Information", ".directory", "lost+found", ".stfolder", ".stignore",
    ".stversions", ".dropbox", ".dropbox.attr", ".dropbox.cache", ".tmp.driveupload",
    ".tmp.drivedownload", ".nextcloudsync.log", ".owncloudsync.log", ".sync", "@eaDir",
    ".SynologyWorkingDirectory", "RCLONE_TEST",
  ]

  private static let ignoredPrefixes = [
    "._", ".Trash-", ".sync_", "._sync_", ".nfs", ".fuse_hidden", ".goutputstream-",
  ]
}
