import ArgumentParser
import ByteStreams
import Foundation
import Geodesy
import Roqua

/// Writes proposed positions.
struct PhotoWriter {
  /// Where a position is written.
  enum Target: String, ExpressibleByArgument, CaseIterable {
    /// A sidecar next to the photo, which stays as it is.
    case xmp
    /// The photo itself. exiftool keeps the photo as it was under `_original`.
    case exif
  }

  let tool: ExifTool
  let target: Target
  /// Whether a position may be added to an existing sidecar.
  let addsToSidecars: Bool

  /// Writes the positions of photos that have none.
  ///
  /// - Returns: for each photo in the same order why its position was not written; nil if it was.
  func write(_ proposals: [PhotoProposal], sidecars: [[String]]) throws -> [String?] {
    var failures = [String?](repeating: nil, count: proposals.count)
    /// What exiftool writes: the number of the photo, and the file.
    var waiting: [(index: Int, path: String)] = []
    for (index, proposal) in proposals.enumerated() {
      guard let estimate = proposal.estimate else { continue }
      switch target {
      case .exif:
        if proposal.facts.isVideo {
          failures[index] = "Videos have no EXIF; use --write xmp."
        } else {
          waiting.append((index, proposal.facts.path))
        }
      case .xmp:
        if let sidecar = sidecars[index].first {
          if addsToSidecars {
            waiting.append((index, sidecar))
          } else {
            failures[index] = "It has a sidecar; use --force to add the position to it."
          }
        } else {
          failures[index] = Self.makeSidecar(of: proposal.facts.path, estimate)
        }
      }
    }
    for start in stride(from: 0, to: waiting.count, by: PhotoReader.batch) {
      let part = waiting[start..<min(start + PhotoReader.batch, waiting.count)]
      try change(Array(part), proposals, &failures)
    }
    return failures
  }

  /// Makes a sidecar, whole or not at all.
  private static func makeSidecar(of photo: String, _ estimate: PositionEstimate) -> String? {
    do throws(OutputFailure) {
      let file = try OutputFile(path: Sidecar.path(of: photo), replacing: false)
      // A failed write is reported at the end.
      _ = file.write(Array(Sidecar.text(estimate).utf8))
      try file.finish()
      return nil
    } catch {
      switch error {
      case .exists: return "It has a sidecar; use --force to add the position to it."
      case .failed(let failure): return "Its sidecar cannot be written: \(failure.reason)."
      }
    }
  }

  /// Adds positions to existing files with exiftool, and reads them back.
  private func change(
    _ files: [(index: Int, path: String)], _ proposals: [PhotoProposal], _ failures: inout [String?]
  ) throws {
    var arguments: [String] = []
    for (index, path) in files {
      guard let estimate = proposals[index].estimate else { continue }
      if !arguments.isEmpty { arguments.append("-execute") }
      arguments += tags(estimate) + [ExifTool.argument(path)]
    }
    arguments += ["-common_args", "-q", "-n", "-charset", "filename=UTF8"]
    // Two photos may share a sidecar, and one that is written again would lose the first copy.
    if target == .xmp { arguments.append("-overwrite_original") }
    let output = try tool.run(arguments)
    let written = try PhotoReader(tool: tool).read(paths: files.map(\.path))
    for (index, path) in files {
      let found = written[path].flatMap { PhotoTags($0).facts(path: path).position }
      guard let wanted = proposals[index].estimate?.coordinate,
        let found, found.distanceMeters(to: wanted) < 0.5
      else {
        let reason = output.standardError.split(separator: "\n").first { $0.contains(path) }
        failures[index] = "exiftool did not write the position" + (reason.map { ": \($0)" } ?? ".")
        continue
      }
    }
  }

  private func tags(_ estimate: PositionEstimate) -> [String] {
    let (latitude, longitude) = (
      estimate.coordinate.latitudeDegrees, estimate.coordinate.longitudeDegrees
    )
    let error = "GPSHPositioningError=\(estimate.uncertaintyDecimeters)"
    let method = "GPSProcessingMethod=\(PhotoTags.manualMethod)"
    if target == .xmp {
      return [
        "-XMP:GPSLatitude=\(latitude)", "-XMP:GPSLongitude=\(longitude)",
        "-XMP:GPSMapDatum=WGS-84", "-XMP:" + error, "-XMP:" + method,
      ]
    }
    return [
      "-GPS:GPSLatitude=\(abs(latitude))", "-GPS:GPSLatitudeRef=\(latitude < 0 ? "S" : "N")",
      "-GPS:GPSLongitude=\(abs(longitude))", "-GPS:GPSLongitudeRef=\(longitude < 0 ? "W" : "E")",
      "-GPS:GPSMapDatum=WGS-84", "-GPS:" + error, "-GPS:" + method,
    ]
  }
}
