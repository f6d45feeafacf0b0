import Foundation
import GeoStore
import Geodesy

/// The lower bound of a search by distance: positions in memory, in rows of 0.01° of latitude, each
/// sorted by longitude, and a plain loop over a flat Earth that returns ids.
///
/// It does not handle ±180°, the ellipsoid, texts or writers, and serves one user at a time.
///
/// Sound use of its memory: the three blocks are allocated in `init` and freed in `deinit`; rows
/// are clamped to `starts`, whose values lie within `entries`; `ids` has room for every entry and
/// one more.
final class SortedCoordinates {
  private static let rowE7: Int32 = 100_000

  private struct Entry {
    let longitudeE7: Int32
    let latitudeE7: Int32
    let id: Int64
  }

  private let entries: UnsafeMutableBufferPointer<Entry>
  /// The index of the first entry of each row, from the southernmost row on, and the end of the
  /// last.
  private let starts: UnsafeMutableBufferPointer<Int32>
  private let firstRow: Int
  /// The ids that the last search found; room for all and one more.
  private let ids: UnsafeMutablePointer<Int64>

  /// Sorts the positions of regions.
  init(_ regions: [VisitedRegion]) {
    let sorted = regions.sorted { a, b in
      let (rowA, rowB) = (Self.row(a.coordinate.latitudeE7), Self.row(b.coordinate.latitudeE7))
      return rowA == rowB ? a.coordinate.longitudeE7 < b.coordinate.longitudeE7 : rowA < rowB
    }
    entries = .allocate(capacity: sorted.count)
    _ = entries.initialize(
      from: sorted.map {
        Entry(
          longitudeE7: $0.coordinate.longitudeE7, latitudeE7: $0.coordinate.latitudeE7, id: $0.id)
      })
    ids = .allocate(capacity: sorted.count + 1)
    ids.initialize(repeating: 0, count: sorted.count + 1)
    firstRow = sorted.first.map { Self.row($0.coordinate.latitudeE7) } ?? 0
    let lastRow = sorted.last.map { Self.row($0.coordinate.latitudeE7) } ?? 0
    var starts = [Int32](repeating: 0, count: lastRow - firstRow + 2)
    for entry in entries { starts[Self.row(entry.latitudeE7) - firstRow + 1] += 1 }
    for row in 1..<starts.count { starts[row] += starts[row - 1] }
    self.starts = .allocate(capacity: starts.count)
    _ = self.starts.initialize(from: starts)
  }

  deinit {
    entries.deallocate()
    starts.deallocate()
    ids.deallocate()
  }

  /// The first ids that the last search found.
  func found(_ count: Int) -> [Int64] { Array(UnsafeBufferPointer(start: ids, count: count)) }

  private static func row(_ latitudeE7: Int32) -> Int {
    Int((latitudeE7 + 900_000_000) / rowE7)
  }

  /// The number of positions within a radius on a flat Earth; ``found(_:)`` returns their ids.
  func search(around center: Coordinate, radiusMeters: Double) -> Int {
    let sine = sin(center.latitudeRadians)
    let perDegree = Double.pi / 180 / 1e7
    let metersNorth = Float(Ellipsoid.meridianRadiusMeters(sinLatitude: sine) * perDegree)
    let metersEast = Float(
      Ellipsoid.primeVerticalRadiusMeters(sinLatitude: sine) * cos(center.latitudeRadians)
        * perDegree)
    let north = Int32(radiusMeters / Double(metersNorth)) + 1
    let east = Int32(min(1.7e9, radiusMeters / Double(metersEast))) + 1
    let limit = Float(radiusMeters * radiusMeters)
    let south = max(Self.row(max(-900_000_000, center.latitudeE7 - north)) - firstRow, 0)
    let last = min(
      Self.row(min(900_000_000, center.latitudeE7 + north)) - firstRow, starts.count - 2)
    let west = Int(center.longitudeE7) - Int(east)
    let end = Int(center.longitudeE7) + Int(east)
    guard south <= last else { return 0 }
    let (entries, starts, ids) = (self.entries, self.starts, self.ids)
    let (longitudeE7, latitudeE7) = (center.longitudeE7, center.latitudeE7)
    var count = 0
    for row in south...last {
      var (low, high) = (Int(starts[row]), Int(starts[row + 1]))
      let stop = high
      while low < high {
        let middle = (low + high) / 2
        if Int(entries[middle].longitudeE7) < west { low = middle + 1 } else { high = middle }
      }
      while low < stop, Int(entries[low].longitudeE7) <= end {
        let entry = entries[low]
        let x = Float(entry.longitudeE7 &- longitudeE7) * metersEast
        let y = Float(entry.latitudeE7 &- latitudeE7) * metersNorth
        // Always written, counted only if within: no branch for the processor to mispredict.
        ids[count] = entry.id
        count &+= x * x + y * y <= limit ? 1 : 0
        low &+= 1
      }
    }
    return count
  }
}
