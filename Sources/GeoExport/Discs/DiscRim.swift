import Foundation
import Geodesy

/// The parts of a circle that lie in no other disc of the same radius.
///
/// Angles are counterclockwise from north, in radians.
///
/// - Source: the right spherical triangle of a center, the middle between two centers and the point
///   where the circles cross, by Napier's rules: cos α = tan(d/2) / tan(r).
struct DiscRim {
  /// A part of a circle that lies in no other disc.
  struct Arc {
    let disc: Int32
    /// The disc that the arc leaves where it begins, and the one that it enters where it ends; -1
    /// if it is the whole circle.
    let left: Int32
    let entered: Int32
  }

  private struct Cover {
    let start: Double
    let end: Double
    let disc: Int32
  }

  private let index: DiscIndex
  private let squaredSine: Double
  private let tangent: Double
  private var covers: [Cover] = []

  init(_ index: DiscIndex) {
    self.index = index
    squaredSine = pow(sin(index.angle), 2)
    tangent = tan(index.angle)
  }

  /// The angles between which a circle lies in another disc: the middle, and half the width. Nil if
  /// the discs do not overlap.
  private func cover(of disc: Int, by other: Int) -> (middle: Double, half: Double)? {
    let (one, two) = (index.centers[disc], index.centers[other])
    let square = DiscIndex.squaredHalfChord(one, two)
    guard square < squaredSine, square > 0 else { return nil }
    let (a, b) = (one.latitudeRadians, two.latitudeRadians)
    let east =
      Double(Int64(two.longitudeE7) - Int64(one.longitudeE7)) * Coordinate.radiansPerUnit
    let north = Double(two.latitudeE7 - one.latitudeE7) * Coordinate.radiansPerUnit
    // The bearing, with a difference of products written so that small distances stay precise.
    let bearing = atan2(
      sin(east) * cos(b), sin(north) + 2 * sin(a) * cos(b) * pow(sin(east / 2), 2))
    let half = acos(min(1, (square / (1 - square)).squareRoot() / tangent))
    return (-bearing, half)
  }

  /// Where the arc that leaves `other` begins on the circle of `disc`.
  func angle(leaving other: Int32, on disc: Int32) -> Double {
    cover(of: Int(disc), by: Int(other)).map { $0.middle + $0.half } ?? 0
  }

  /// Where the arc that enters `other` ends on the circle of `disc`.
  func angle(entering other: Int32, on disc: Int32) -> Double {
    cover(of: Int(disc), by: Int(other)).map { $0.middle - $0.half } ?? 0
  }

  /// Appends the arcs of a disc.
  ///
  /// - Complexity: O(n log n) for the discs that overlap it; less if they cover the whole circle.
  mutating func append(arcsOf disc: Int32, to arcs: inout [Arc]) {
    covers.removeAll(keepingCapacity: true)
    // A bit for each of 64 parts of the circle that lie wholly in one other disc.
    var mask: UInt64 = 0
    index.forEachCandidate(near: Int(disc)) { other in
      guard let (middle, half) = cover(of: Int(disc), by: other) else { return true }
      var start = (middle - half).remainder(dividingBy: 2 * .pi)
      if start < 0 { start += 2 * .pi }
      covers.append(Cover(start: start, end: start + 2 * half, disc: Int32(other)))
      mask |= Self.parts(from: start, to: start + 2 * half)
      return mask != .max
    }
    guard mask != .max else { return }
    guard !covers.isEmpty else {
      arcs.append(Arc(disc: disc, left: -1, entered: -1))
      return
    }
    covers.sort { ($0.start, $0.end, $0.disc) < ($1.start, $1.end, $1.disc) }
    var (reach, left) = (-Double.infinity, Int32(-1))
    for cover in covers where cover.end - 2 * .pi > reach {
      (reach, left) = (cover.end - 2 * .pi, cover.disc)
    }
    for cover in covers {
      if cover.start > reach {
        arcs.append(Arc(disc: disc, left: left, entered: cover.disc))
      }
      if cover.end > reach { (reach, left) = (cover.end, cover.disc) }
    }
  }

  /// The bits of the parts of the circle that lie wholly between two angles, the second at most
  /// half a turn after the first.
  private static func parts(from start: Double, to end: Double) -> UInt64 {
    let first = Int((start * 32 / .pi).rounded(.up))
    let count = Int((end * 32 / .pi).rounded(.down)) - first
    guard count > 0 else { return 0 }
    let bits: UInt64 = 1 << UInt64(min(count, 63)) &- 1
    let shift = UInt64(first % 64)
    return bits << shift | (shift == 0 ? 0 : bits >> (64 - shift))
  }
}
