import Foundation

/// Files and folders that must not outlive the change that creates them. For signals, each call is
/// one unit. It notifies the program's ``InterruptHandler``, which removes them if a signal ends
/// the process.
enum TransientFile {
  /// Creates a file that only its owner may read and write. Its descriptor is negative if that
  /// fails, and `errno` has the reason.
  ///
  /// - Parameters:
  ///   - beginning: its path before six letters.
  ///   - ending: its path after them.
  static func make(_ beginning: String, ending: String) -> (descriptor: Int32, path: String?) {
    var template = Array((beginning + "XXXXXX" + ending).utf8CString)
    return InterruptHook.deferring { handler in
      let descriptor = mkstemps(&template, Int32(ending.utf8.count))  // mode 0600
      guard descriptor >= 0 else { return (descriptor, nil) }
      let path = string(template)
      handler?.add(partialFile: path)
      return (descriptor, path)
    }
  }

  /// Creates a folder that only its owner may use; nil if that fails, with the reason in `errno`.
  ///
  /// - Parameters:
  ///   - beginning: its path before the last six letters.
  ///   - names: the files that may be created in it, which are removed with it.
  static func makeFolder(_ beginning: String, for names: [String]) -> String? {
    var template = Array((beginning + "XXXXXX").utf8CString)
    return InterruptHook.deferring { handler in
      guard mkdtemp(&template) != nil else { return nil }  // mode 0700
      let folder = string(template)
      handler?.add(partialFile: folder)
      for name in names { handler?.add(partialFile: folder + "/" + name) }
      return folder
    }
  }

  /// Gives such a file its name, which commits the change.
  ///
  /// - Parameter place: renames it; false if that fails, with the reason in `errno`.
  static func place(_ partialPath: String, _ place: () -> Bool) -> Bool {
    InterruptHook.deferring { handler in
      guard place() else { return false }
      handler?.drop(partialFile: partialPath)
      handler?.reach(.committed)
      return true
    }
  }

  /// Removes such a file.
  static func remove(_ partialPath: String) {
    InterruptHook.deferring { handler in
      unlink(partialPath)
      handler?.drop(partialFile: partialPath)
    }
  }

  /// Removes such a folder with its files.
  static func removeFolder(_ path: String, with names: [String]) {
    InterruptHook.deferring { handler in
      for name in names {
        unlink(path + "/" + name)
        handler?.drop(partialFile: path + "/" + name)
      }
      rmdir(path)
      handler?.drop(partialFile: path)
    }
  }

  private static func string(_ path: [CChar]) -> String {
    String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
