import Foundation
import Geodesy

/// Joins the arcs of a group of discs that hang together to the outline of their union.
///
/// Where an arc of a disc enters another disc, the outline goes on with the arc of that disc that
/// leaves the first one. Where three circles cross in almost the same point, the arcs may disagree
/// by the rounding of a number; there an end goes on with the nearest beginning.
///
/// - Memory: 20 bytes for each arc, and the outline.
struct DiscTracer {
  private let index: DiscIndex
  private var rim: DiscRim
  private var arcs: [DiscRim.Arc] = []
  /// The arc that follows each arc; -1 for none.
  private var next: [Int32] = []

  init(_ index: DiscIndex) {
    self.index = index
    rim = DiscRim(index)
  }

  /// The outline of a group: the outer ring, and holes of at least 1e-12 square degrees, which are
  /// 0.01 m² at the equator. Positions are rounded.
  ///
  /// - Returns: nil if rounding leaves the arcs' ends in doubt.
  mutating func outline(of group: [Int32]) -> ExportGeometry? {
    arcs.removeAll(keepingCapacity: true)
    for disc in group { rim.append(arcsOf: disc, to: &arcs) }
    guard link() else { return nil }
    var outer: ExportGeometry?
    var holes = ExportGeometry()
    for first in next.indices where next[first] >= 0 {
      let start = holes.count
      let doubled = appendRing(from: first, to: &holes)
      guard abs(doubled) > 2e-12 else {
        holes.coordinates.removeSubrange((2 * start)...)
        continue
      }
      if doubled < 0 {
        holes.endRing()
      } else {
        guard outer == nil else { return nil }
        var ring = ExportGeometry()
        ring.coordinates = Array(holes.coordinates[(2 * start)...])
        ring.endRing()
        outer = ring
        holes.coordinates.removeSubrange((2 * start)...)
      }
    }
    guard var result = outer else { return nil }
    let count = result.count
    result.coordinates += holes.coordinates
    result.ringEnds += holes.ringEnds.map { $0 + count }
    return result
  }

  /// Finds the arc that follows each.
  ///
  /// - Returns: whether all were found.
  private mutating func link() -> Bool {
    next = [Int32](repeating: -1, count: arcs.count)
    var isFollowed = [Bool](repeating: false, count: arcs.count)
    for (place, arc) in arcs.enumerated() {
      if arc.left < 0 {
        next[place] = Int32(place)
        isFollowed[place] = true
        continue
      }
      var other = firstArc(of: arc.entered)
      while other < arcs.count, arcs[other].disc == arc.entered {
        if arcs[other].left == arc.disc, !isFollowed[other] {
          next[place] = Int32(other)
          isFollowed[other] = true
          break
        }
        other += 1
      }
    }
    let ends = next.indices.filter { next[$0] < 0 }
    var starts = isFollowed.indices.filter { !isFollowed[$0] }
    guard ends.count <= 10_000 else { return false }
    for end in ends {
      let arc = arcs[end]
      let position = position(on: arc.disc, at: rim.angle(entering: arc.entered, on: arc.disc))
      var (nearest, best) = (-1, Double.infinity)
      for (place, start) in starts.enumerated() {
        let offset = firstPosition(of: arcs[start]) - position
        let distance = max(abs(offset.x), abs(offset.y))
        if distance < best { (nearest, best) = (place, distance) }
      }
      guard nearest >= 0, best < 1e-8 else { return false }
      next[end] = Int32(starts.remove(at: nearest))
    }
    return true
  }

  /// The first arc of a disc, or of the disc after it.
  private func firstArc(of disc: Int32) -> Int {
    var (low, high) = (0, arcs.count)
    while low < high {
      let middle = (low + high) / 2
      if arcs[middle].disc < disc { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Appends the positions of a ring, and takes its arcs out of `next`.
  ///
  /// - Returns: twice the area in square degrees, positive counterclockwise.
  private mutating func appendRing(from first: Int, to geometry: inout ExportGeometry) -> Double {
    var ring: [SIMD2<Double>] = []
    var place = first
    while next[place] >= 0 {
      appendPositions(of: arcs[place], to: &ring)
      (place, next[place]) = (Int(next[place]), -1)
    }
    guard let origin = ring.first else { return 0 }
    if ring.last != origin { ring.append(origin) }
    for position in ring { geometry.append(x: position.x, y: position.y) }
    return zip(ring, ring.dropFirst()).reduce(0.0) { sum, edge in
      let (one, other) = (edge.0 - origin, edge.1 - origin)
      return sum + one.x * other.y - other.x * one.y
    }
  }

  /// Appends where an arc begins, and the corners of the disc between there and its end, except
  /// those that are equal to the position before them.
  private func appendPositions(of arc: DiscRim.Arc, to ring: inout [SIMD2<Double>]) {
    func append(_ angle: Double) {
      let exact = position(on: arc.disc, at: angle)
      let position = SIMD2(DiscPolygon.rounded(exact.x), DiscPolygon.rounded(exact.y))
      if position != ring.last { ring.append(position) }
    }
    let step = 2 * Double.pi / Double(DiscPolygon.corners)
    guard arc.left >= 0 else {
      for corner in 0..<DiscPolygon.corners { append(Double(corner) * step) }
      return
    }
    let start = rim.angle(leaving: arc.left, on: arc.disc)
    var span = rim.angle(entering: arc.entered, on: arc.disc) - start
    span = span.remainder(dividingBy: 2 * .pi)
    // An arc is never so long; a short one may end before it begins, by the rounding of a number.
    if span < -1e-9 { span += 2 * .pi }
    append(start)
    // A corner next to an end would make an edge that rounding can turn around.
    var corner = ((start + 1e-6) / step).rounded(.up)
    while corner * step < start + span - 1e-6 {
      append(corner * step)
      corner += 1
    }
  }

  private func firstPosition(of arc: DiscRim.Arc) -> SIMD2<Double> {
    position(on: arc.disc, at: rim.angle(leaving: arc.left, on: arc.disc))
  }

  private func position(on disc: Int32, at angle: Double) -> SIMD2<Double> {
    DiscPolygon.position(
      around: index.centers[Int(disc)], angle: index.angle, counterclockwise: angle)
  }
}
