import Foundation
import Geodesy
import Roqua

/// Reads what photos say about their times and positions, through exiftool.
struct PhotoReader {
  let tool: ExifTool

  /// Files that exiftool is given at once: it starts in 0.1 s, and its answers are held in memory.
  static let batch = 500

  /// Reads photos, in the same order. A photo that cannot be read has a reason instead.
  ///
  /// - Parameter onProgress: called with the number of photos read so far.
  func read(
    _ photos: [PhotoFinder.Photo], onProgress: (Int) -> Void
  ) throws -> [Result<PhotoFacts, UnreadablePhoto>] {
    var results: [Result<PhotoFacts, UnreadablePhoto>] = []
    for start in stride(from: 0, to: photos.count, by: Self.batch) {
      let part = photos[start..<min(start + Self.batch, photos.count)]
      let tags = try read(paths: part.flatMap { [$0.path] + $0.sidecars })
      for photo in part { results.append(Self.facts(of: photo, tags)) }
      onProgress(results.count)
    }
    return results
  }

  /// Why a photo has no facts.
  struct UnreadablePhoto: Error {
    let reason: String
  }

  private static func facts(
    of photo: PhotoFinder.Photo, _ tags: [String: [String: String]]
  ) -> Result<PhotoFacts, UnreadablePhoto> {
    guard let values = tags[photo.path] else {
      return .failure(UnreadablePhoto(reason: "exiftool cannot read it."))
    }
    if let error = values["ExifTool:Error"] {
      return .failure(UnreadablePhoto(reason: "exiftool cannot read it: \(error)."))
    }
    let kind = values["File:MIMEType"] ?? ""
    guard kind.hasPrefix("image/") || kind.hasPrefix("video/") else {
      return .failure(UnreadablePhoto(reason: "It is not a photo or video."))
    }
    var facts = PhotoTags(values).facts(path: photo.path)
    for sidecar in photo.sidecars where facts.position == nil {
      guard let stated = tags[sidecar].map({ PhotoTags($0).facts(path: sidecar) }) else { continue }
      (facts.position, facts.isPositionMeasured) = (stated.position, stated.isPositionMeasured)
    }
    return .success(facts)
  }

  /// The tags of files, by path.
  ///
  /// `-fast2` skips what follows the metadata of a JPEG or PNG file and the notes of its maker; the
  /// metadata of other formats can be at the end.
  func read(paths: [String]) throws -> [String: [String: String]] {
    let names = Dictionary(
      paths.map { (ExifTool.argument($0), $0) }, uniquingKeysWith: { first, _ in first })
    let isFast = { (path: String) in
      let path = path.lowercased()
      return [".jpg", ".jpeg", ".jpe", ".png"].contains(where: path.hasSuffix)
    }
    var tags: [String: [String: String]] = [:]
    for (files, options) in [
      (paths.filter(isFast), ["-fast2"]), (paths.filter { !isFast($0) }, []),
    ] where !files.isEmpty {
      let arguments =
        ["-json", "-n", "-G", "-q", "-charset", "filename=UTF8", "-api", "LargeFileSupport=1"]
        + options + ["-Error"] + PhotoTags.names.map { "-" + $0 } + ["--"]
        + files.map(ExifTool.argument)
      let output = try tool.run(arguments)
      guard !output.standardOutput.isEmpty else { continue }
      guard
        let list = try? JSONSerialization.jsonObject(with: output.standardOutput)
          as? [[String: Any]]
      else { throw Console.Failure("exiftool's answer is not JSON; check its installation") }
      for members in list {
        guard let source = members["SourceFile"] as? String, let path = names[source] else {
          continue
        }
        tags[path] = members.mapValues { "\($0)" }
      }
    }
    return tags
  }
}
