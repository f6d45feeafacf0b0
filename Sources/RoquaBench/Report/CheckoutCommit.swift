import ByteStreams
import Foundation

/// The commit of the checkout that contains this program, read from git's files without git.
enum CheckoutCommit {
  /// The commit of the checkout that contains this executable, as 40 hexadecimal digits; nil if
  /// none does.
  static func ofExecutable() -> String? {
    var folder = FilePath(Bundle.main.executablePath ?? "").folder
    // `.build/x86_64-unknown-linux-gnu/release` is three folders deep; a few more are tried.
    for _ in 0..<5 where folder != "." && folder != "/" {
      let manifest = folder + "/Package.swift"
      if FileManager.default.fileExists(atPath: manifest) { return of(checkout: folder) }
      folder = FilePath(folder).folder
    }
    return nil
  }

  /// The commit checked out in a folder.
  static func of(checkout folder: String) -> String? {
    var git = folder + "/.git"
    // In a linked work tree, `.git` is a file that names the folder.
    if let text = text(of: git), text.hasPrefix("gitdir: ") {
      let path = String(text.dropFirst("gitdir: ".count))
      git = path.hasPrefix("/") ? path : folder + "/" + path
    }
    guard let head = text(of: git + "/HEAD") else { return nil }
    guard head.hasPrefix("ref: ") else { return commit(head) }
    let name = String(head.dropFirst("ref: ".count))
    var places = [git]
    if let common = text(of: git + "/commondir") {
      places.append(common.hasPrefix("/") ? common : git + "/" + common)
    }
    for place in places {
      if let found = text(of: place + "/" + name).flatMap(commit) { return found }
      for line in text(of: place + "/packed-refs")?.split(separator: "\n") ?? []
      where line.hasSuffix(" " + name) {
        if let found = commit(String(line.prefix { $0 != " " })) { return found }
      }
    }
    return nil
  }

  private static func commit(_ text: String) -> String? {
    text.count == 40 && text.allSatisfy(\.isHexDigit) ? text : nil
  }

  private static func text(of path: String) -> String? {
    (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(
      in: .whitespacesAndNewlines)
  }
}
