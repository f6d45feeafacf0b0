import CSQLiteCalls
import Geocode
import Geodesy
import Roqua

/// The functions in SQL that need no table: distances and places.
enum PlaceFunctions {
  /// `roqua_distance(lat1, lon1, lat2, lon2)`: the meters between two positions on the ellipsoid.
  static let distance: ScalarFunction.Body = { context, count, values in
    FunctionCall.answer(context, count, values) { (call) throws(FunctionFailure) in
      .number(try call.coordinate(at: 0).distanceMeters(to: try call.coordinate(at: 2)))
    }
  }

  /// `roqua_country(lat, lon)`: the ISO 3166-1 alpha-2 code; NULL beyond territorial waters.
  static let country: ScalarFunction.Body = { context, count, values in
    FunctionCall.answer(context, count, values) { (call) throws(FunctionFailure) in
      let index = try geocoder().countryIndex(at: try call.coordinate(at: 0))
      return index.map { .text($0.code) } ?? .null
    }
  }

  /// `roqua_place(lat, lon)`: the object of `roqua where --json`; with a third argument, the member
  /// of that name.
  static let place: ScalarFunction.Body = { context, count, values in
    FunctionCall.answer(context, count, values) { (call) throws(FunctionFailure) in
      let coordinate = try call.coordinate(at: 0)
      let json = try geocoder().place(at: coordinate).json(at: coordinate)
      guard call.count == 3, case .object(let members) = json else {
        return .text(json.description)
      }
      let name = try call.text(at: 2, "name of the member")
      guard let member = members.first(where: { $0.name == name }) else {
        throw FunctionFailure(
          "A place has no member of this name; it has "
            + members.map(\.name).joined(separator: ", ") + ".")
      }
      return switch member.value {
      case .null: .null
      case .string(let text): .text(text)
      case .number(let number): .number(number)
      default: .text(member.value.description)
      }
    }
  }

  private static func geocoder() throws(FunctionFailure) -> Geocoder {
    do throws(GeocodeError) {
      return try Geocoder.bundled
    } catch {
      throw FunctionFailure("The bundled geodata cannot be read; reinstall Roqua.")
    }
  }
}
