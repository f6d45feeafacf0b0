import Foundation

/// Looks for photos and videos, and for their sidecars.
struct PhotoFinder {
  /// A photo or video.
  struct Photo: Hashable {
    let path: String
    /// The XMP files next to it that describe it.
    let sidecars: [String]
  }

  /// The photos, in the order of the arguments; below a folder, in the order of their paths.
  private(set) var photos: [Photo] = []
  /// The number of paths where nothing is.
  private(set) var missing = 0
  /// The paths that cannot be read, each with the reason.
  private(set) var failures: [(path: String, reason: String)] = []
  private var seen: Set<String> = []

  /// Looks at files as they are, and at folders with everything below them. Hidden files, links to
  /// folders, and the copies that exiftool keeps (`_original`) are left out.
  init(_ paths: [String]) {
    for path in paths {
      var isFolder = ObjCBool(false)
      guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
        failures.append((path, "There is no such file or folder."))
        missing += 1
        continue
      }
      if isFolder.boolValue { lookInside(path) } else { add(path) }
    }
  }

  /// Looks below a folder, without recursion: a tree can be deep.
  private mutating func lookInside(_ folder: String) {
    var waiting = [folder]
    while let folder = waiting.popLast() {
      let names: [String]
      // In a folder that may be listed and not searched, no file can be found.
      guard FileManager.default.isExecutableFile(atPath: folder) else {
        failures.append((folder, "The folder cannot be read."))
        continue
      }
      do {
        names = try FileManager.default.contentsOfDirectory(atPath: folder)
      } catch {
        failures.append((folder, "The folder cannot be read."))
        continue
      }
      var folders: [String] = []
      for name in names.sorted() where !name.hasPrefix(".") {
        let path = folder.hasSuffix("/") ? folder + name : folder + "/" + name
        let kind = Self.ending(of: name)
        // A folder may have any name.
        if Self.isFolder(path, followingLinks: false) {
          folders.append(path)
        } else if PhotoKinds.mayBeTaken(kind),
          !Self.isFolder(path, followingLinks: true)
        {
          add(path)
        }
      }
      waiting += folders.reversed()
    }
  }

  private mutating func add(_ path: String) {
    guard seen.insert(path).inserted else { return }
    guard !path.contains(where: \.isNewline) else {
      failures.append((path, "Its path contains a line break, which exiftool cannot be given."))
      return
    }
    photos.append(Photo(path: path, sidecars: Self.sidecars(of: path)))
  }

  /// `IMG.jpg.xmp`, as darktable and digiKam name it, and `IMG.xmp`, as Lightroom does.
  private static func sidecars(of path: String) -> [String] {
    let stem = path.dropLast(ending(of: path).count + 1)
    return [path + ".xmp", path + ".XMP", stem + ".xmp", stem + ".XMP"].filter {
      // A link that leads nowhere counts, too: writing would follow it.
      var status = stat()
      return lstat($0, &status) == 0
    }
  }

  private static func isFolder(_ path: String, followingLinks followsLinks: Bool) -> Bool {
    var status = stat()
    let code = followsLinks ? stat(path, &status) : lstat(path, &status)
    return code == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// What follows the last point of a name, in lower case.
  private static func ending(of name: String) -> String {
    let parts = name.split(separator: "/").last?.split(separator: ".") ?? []
    return parts.count > 1 ? parts.last?.lowercased() ?? "" : ""
  }
}
