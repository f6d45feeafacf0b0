import Geodesy
import StoreSync

/// What people should know about a store that a restore replaced: it may have what they delete.
enum ReplacedStoreAdvice {
  /// Says after deleting data that a replaced store is not changed by it.
  static func printAfterDeleting(storePath: String) {
    for (path, date) in kept(storePath) {
      Console.printError(
        "roqua: \(path): this store, which was replaced at \(date), may still have the data; "
          + "delete the file to erase it now; otherwise it is deleted after a day")
    }
  }

  /// Says that there is a replaced store.
  static func printNotice(storePath: String) {
    for (path, date) in kept(storePath) {
      Console.printError(
        "roqua: \(path): this store was replaced at \(date) and is deleted after a day; it may "
          + "have data that was deleted since")
    }
  }

  private static func kept(_ storePath: String) -> [(path: String, date: String)] {
    StoreReplacement.kept(storePath: storePath, now: SyncArguments.now).map { kept in
      let date = Timestamp(millisecondsSince1970: kept.milliseconds).iso8601
      return (kept.path, date.prefix(19) + "Z")
    }
  }
}
