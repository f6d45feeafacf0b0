import CSQLiteCalls
import Geodesy
import GridHash

/// `roqua_cell(lat, lon [, radius])`: the hash `row_column` of the cell that contains a position.
enum CellFunction {
  /// With a radius: on the grid of that exploration radius in meters.
  static let onGridOfRadius: ScalarFunction.Body = { context, count, values in
    FunctionCall.answer(context, count, values) { (call) throws(FunctionFailure) in
      let coordinate = try call.coordinate(at: 0)
      let radius = try call.number(at: 2, "exploration radius")
      guard let grid = try? Grid(explorationRadiusMeters: radius) else {
        throw FunctionFailure("The exploration radius must be from 1 to 100000 meters.")
      }
      return .text(grid.cell(containing: coordinate).gridHash)
    }
  }

  /// Without one: on the grid of the store.
  static let onGridOfStore: ScalarFunction.Body = { context, count, values in
    FunctionCall.answer(context, count, values) { (call) throws(FunctionFailure) in
      guard let database = roqua_database(call.context), let data = roqua_user_data(call.context)
      else { throw FunctionFailure("The function has no database.") }
      let coordinate = try call.coordinate(at: 0)
      // Sound: SQLite keeps the object until it releases it with the function, which is being
      // called.
      let grid = Unmanaged<StoreGrid>.fromOpaque(data).takeUnretainedValue()
      return .text(try grid.grid(of: database).cell(containing: coordinate).gridHash)
    }
  }
}
