import ArgumentParser
import ByteStreams
import Foundation
import GeoStore
import Profiles
import Roqua
import SQLiteLayer

/// Which store, and in which form to answer.
struct StoreArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Use this store.", valueName: "path"), completion: .file())
  var store: String?

  @Flag(help: "Print JSON.")
  var json = false

  /// The path that `--store` or `$ROQUA_STORE` gives; nil for neither. It is used whatever profile
  /// is selected.
  private var givenPath: String? {
    store.map(NegativeNumbers.original) ?? SelectedProfile.environmentPath
  }

  /// The usual path: as given, else `$ROQUA_STORE`, else that of the selected profile. The store
  /// may be locked.
  ///
  /// - Throws: `Console.Failure` if it is unknown which profile is selected.
  var usualPath: String { get throws { try givenPath ?? SelectedProfile.use.storePath } }

  /// The path of the store: the usual one, or that in memory, if the store was unlocked there. What
  /// belongs to the store is next to it.
  ///
  /// - Throws: `DatabaseError.locked`, and as ``usualPath`` does.
  var path: String {
    get throws {
      let path = try usualPath
      if LockedFile.isLocked(path: path) { throw DatabaseError.locked(path: path) }
      return LockedFile.memoryPath(of: path) ?? path
    }
  }

  /// The selected profile; nil if the path was given, or if there are no profiles.
  var profile: Profile? {
    get throws { givenPath == nil ? try SelectedProfile.use.profile : nil }
  }

  /// Opens the store.
  ///
  /// - Parameters:
  ///   - creating: whether there may be none yet: the first change makes it.
  ///   - isForRepair: whether its tables may be others than Roqua made.
  ///   - durability: which of the latest writes a power cut may lose.
  func open(
    creating: Bool, isForRepair: Bool = false, durability: Durability = .normal
  ) throws -> Explorer {
    let (path, profile) = (try path, try profile)
    if creating { try checkFolder() }
    // `>> store.sqlite`: an answer would be written behind the last page.
    if let output = FileIdentity(descriptor: STDOUT_FILENO), output == FileIdentity(path: path) {
      throw Console.Failure("\(path): standard output is the store's file")
    }
    let explorer = try Explorer(
      storePath: path, creating: creating, isForRepair: isForRepair, savesMemory: true,
      durability: durability, profileID: profile?.id.text)
    CurrentUnits.use(explorer, at: path)
    return explorer
  }

  /// Checks that of the folders of a given path at most the last one is missing, which the first
  /// change makes. A path of which more is missing is probably mistyped, and a store there would
  /// be lost.
  ///
  /// - Throws: `Console.Failure`.
  func checkFolder() throws {
    guard let path = givenPath else { return }
    let folder = FilePath(path).folder
    let outer = FilePath(folder).folder
    var status = stat()
    guard stat(folder, &status) != 0, errno == ENOENT, stat(outer, &status) != 0, errno == ENOENT
    else { return }
    throw Console.Failure(
      "\(path): the folder \(outer) does not exist; if the path is right, make its folder first: "
        + "mkdir -p \(ShellWord.quoted(folder))")
  }
}
