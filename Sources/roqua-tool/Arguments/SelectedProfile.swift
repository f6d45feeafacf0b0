import ByteStreams
import Foundation
import GeoStore
import Profiles
import SQLiteLayer

/// The profile whose store this process uses, if no other store is given.
enum SelectedProfile {
  /// The path in `$ROQUA_STORE`; nil if it is not set or empty.
  static var environmentPath: String? {
    let path = ProcessInfo.processInfo.environment["ROQUA_STORE"] ?? ""
    return path.isEmpty ? nil : path
  }

  /// The profiles in the user's data folder.
  static let folder: ProfileFolder = {
    var hooks = ProfileHooks()
    hooks.storeID = { path in
      guard FileIdentity(path: path) != nil else { return nil }
      let id = try? Store(path: path, creating: false).profileID()
      return id.flatMap(ProfileID.init)
    }
    hooks.reasonInUse = { path in
      if LockedFile.memoryPath(of: path) != nil {
        return "its store is unlocked in memory; lock it first (roqua lock)"
      }
      do throws(DatabaseError) {
        _ = try ReplacedDatabase(path: path)
        return nil
      } catch {
        return "another program has \(path) open"
      }
    }
    return ProfileFolder(
      path: dataFolder(ProcessInfo.processInfo.environment) + "/roqua", hooks: hooks)
  }()

  /// The use of the selected profile, which lasts until the process ends.
  ///
  /// - Throws: `ProfileError` if it is unknown which profile is selected.
  static var use: ProfileUse {
    get throws {
      switch result {
      case .success(let use): use
      case .failure(let error): throw error
      }
    }
  }

  private static let result = Result { () throws(ProfileError) in try folder.use() }

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
