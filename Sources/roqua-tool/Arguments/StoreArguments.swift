import ArgumentParser
import ByteStreams
import Foundation
import GeoStore
import Roqua

/// Which store, and in which form to answer.
struct StoreArguments: ParsableArguments {
  @Option(help: ArgumentHelp("Use this store.", valueName: "path"), completion: .file())
  var store: String?

  @Flag(help: "Print JSON.")
  var json = false

  /// The path: as given, else `$ROQUA_STORE`, else the user's data folder.
  var path: String {
    if let store { return NegativeNumbers.original(store) }
    let environment = ProcessInfo.processInfo.environment
    if let path = environment["ROQUA_STORE"], !path.isEmpty { return path }
    return Self.dataFolder(environment) + "/roqua/store.sqlite"
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
    // `>> store.sqlite`: an answer would be written behind the last page.
    if let output = FileIdentity(descriptor: STDOUT_FILENO), output == FileIdentity(path: path) {
      throw Console.Failure("\(path): standard output is the store's file")
    }
    let explorer = try Explorer(
      storePath: path, creating: creating, isForRepair: isForRepair, savesMemory: true,
      durability: durability)
    CurrentUnits.use(explorer, at: path)
    return explorer
  }

  /// The XDG data folder, or what macOS has in its place.
  private static func dataFolder(_ environment: [String: String]) -> String {
    // The XDG specification: a relative path is to be ignored.
    if let folder = environment["XDG_DATA_HOME"], folder.hasPrefix("/") { return folder }
    let home = environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
    #if os(macOS)
      return home + "/Library/Application Support"
    #else
      return home + "/.local/share"
    #endif
  }
}
