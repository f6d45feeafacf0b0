import ArgumentParser
import Foundation
import StoreSync

/// Which folder.
struct SyncArguments: ParsableArguments {
  @OptionGroup var store: StoreArguments

  /// Opens the folder.
  ///
  /// - Parameters:
  ///   - path: the folder; nil for the one that was used last.
  ///   - mayBeEmptied: whether a folder that was used before, and that is empty now, is filled
  ///     again; nil if it is when a person has named it.
  func open(
    _ path: String?, name: String? = nil, fingerprint: String? = nil, recoveryKey: String? = nil,
    isReadOnly: Bool = false, mayBeEmptied: Bool? = nil
  ) throws -> SyncFolder {
    let home = SyncHome(storePath: try store.path)
    let name = name.map(NegativeNumbers.original)
    let mayBeEmptied = mayBeEmptied ?? (path != nil)
    let (path, absolute) = try self.path(path)
    try Self.checkFolder(absolute, path)
    do {
      let folder = try SyncFolder(
        LocalSyncDirectory(path: absolute), path: path, home: home,
        displayName: name ?? ProcessInfo.processInfo.hostName, fingerprint: fingerprint,
        recoveryKey: recoveryKey, now: Self.now, isReadOnly: isReadOnly,
        mayBeEmptied: mayBeEmptied)
      if let other = try home.folderPath(), other != absolute {
        Console.printError("roqua: from now on, this store syncs with \(absolute), not \(other)")
      }
      try home.keep(folderPath: absolute)
      if let name, folder.displayName != name {
        Console.printError(
          "roqua: --name is ignored: this device is called \(folder.displayName) in the folder, "
            + "and names stay")
      }
      return folder
    } catch let refusal as SharingError {
      // Once this device was added, roqua sync needs no folder.
      if case .notAMember = refusal { try home.keep(folderPath: absolute) }
      throw refusal
    }
  }

  /// Returns the path of the folder as given, else that of the last time, and as an absolute path.
  ///
  /// - Throws: `Console.Failure` if there is neither.
  func path(_ given: String?) throws -> (text: String, absolute: String) {
    let home = SyncHome(storePath: try store.path)
    guard let path = try given.map(NegativeNumbers.original) ?? home.folderPath() else {
      throw Console.Failure("name the folder: roqua sync FOLDER", isWrongUsage: true)
    }
    return (path, URL(fileURLWithPath: path).path)
  }

  /// Refuses a path that leads to something else than a folder, and the root of the file system.
  static func checkFolder(_ absolute: String, _ text: String) throws {
    guard absolute != "/" else {
      throw Console.Failure("\(text): it is the root of the file system; name a folder in it")
    }
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: absolute, isDirectory: &isFolder), !isFolder.boolValue
    {
      throw Console.Failure("\(text): it is not a folder")
    }
  }

  /// The time in milliseconds since 1970.
  static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }
}
