import Roqua
import StoreSync

/// What people should know about forgetting in a store that several devices share.
enum SharedStoreAdvice {
  /// Says which imported files the next sync forgets again.
  static func printForgotten(at path: String) throws {
    let home = SyncHome(storePath: path)
    guard try home.ring() != nil else { return }
    let paths = try ForgottenSources.paths(in: Store(path: path, creating: false), home: home)
    guard let first = paths.first else { return }
    let which = paths.count == 1 ? first : "\(first) and \(Wording.count(paths.count - 1, "other"))"
    Console.printError(
      "roqua: \(which): forgotten before on a device that shares this store; the next sync forgets "
        + (paths.count == 1 ? "it again" : "them again"))
  }

  /// Says that forgetting is permanent, in a store that is shared, as far as it is.
  static func printAfterForgetting(_ result: MaintenanceReport, in store: Store) {
    let home = SyncHome(storePath: store.path)
    guard let ring = try? home.ring(), ring.members.count > 1 else { return }
    let forgotten = result.sources.filter(\.isForgotten).map(\.source.id)
    let unshared = (try? ForgottenSources.unshared(forgotten, in: store, home: home)) ?? []
    if unshared.count < result.sources.count {
      Console.print(
        "The next sync forgets this on all devices, permanently: importing the files again does "
          + "not bring it back.")
    }
    guard !unshared.isEmpty else { return }
    let numbers = unshared.map(String.init).joined(separator: ", ")
    Console.print(
      unshared.count == 1
        ? "Source \(numbers) had not been synced yet: if another device has the same file, the "
          + "next sync brings it back."
        : "Sources \(numbers) had not been synced yet: if another device has the same files, the "
          + "next sync brings them back.")
  }
}
