import ArgumentParser
import Geodesy

/// Degrees that an option takes, joined by commas or one by one: `--bbox -17,179.9,-16,-179.8`,
/// `--bbox -17 179.9 …`.
enum DegreeList {
  /// - Throws: `ValidationError` where these are not `count` numbers.
  static func parse(_ arguments: [String], option: String, names: String, count: Int) throws
    -> [Degrees]
  {
    let parts = arguments.flatMap { $0.split { $0 == "," || $0 == " " } }
    let values = parts.compactMap { Degrees(argument: String($0)) }
    guard values.count == count, parts.count == count else {
      throw ValidationError("\(option) takes \(count) numbers in degrees: \(names).")
    }
    return values
  }

  /// - Parameter name: what takes the edges, at the start of a sentence.
  /// - Throws: `ValidationError` where these are no box.
  static func box(_ arguments: [String], of name: String = "--bbox") throws -> BoundingBox {
    let edges = try parse(arguments, option: name, names: "south, west, north, east", count: 4)
    do {
      return try BoundingBox(
        south: edges[0].value, west: edges[1].value, north: edges[2].value, east: edges[3].value)
    } catch BoundingBoxError.southAboveNorth {
      throw ValidationError("The south edge is north of the north edge.")
    } catch {
      throw ValidationError(
        "Latitudes must be between -90 and 90, longitudes between -180 and 180.")
    }
  }
}
