import CSQLiteCalls

/// A scalar function in SQL.
struct ScalarFunction: Sendable {
  /// What SQLite calls.
  typealias Body =
    @convention(c) @Sendable (
      OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
    ) -> Void

  /// The name.
  let name: String
  /// The number of arguments.
  let argumentCount: Int32
  /// The function.
  let body: Body
  /// Whether the result depends on the arguments alone, and not on the store.
  var isDeterministic = true
  /// Makes the object that the function finds as its user data, if it needs one.
  var makeData: (@Sendable () -> AnyObject)?

  /// All functions.
  static let all = [
    ScalarFunction(name: "roqua_distance", argumentCount: 4, body: PlaceFunctions.distance),
    ScalarFunction(name: "roqua_country", argumentCount: 2, body: PlaceFunctions.country),
    ScalarFunction(name: "roqua_place", argumentCount: 2, body: PlaceFunctions.place),
    ScalarFunction(name: "roqua_place", argumentCount: 3, body: PlaceFunctions.place),
    ScalarFunction(name: "roqua_cell", argumentCount: 3, body: CellFunction.onGridOfRadius),
    ScalarFunction(
      name: "roqua_cell", argumentCount: 2, body: CellFunction.onGridOfStore,
      isDeterministic: false, makeData: { StoreGrid() }),
  ]

  /// Adds the function to a connection, and returns SQLite's result code. It is innocuous: it
  /// changes nothing and reveals nothing but settings, so a schema of unknown origin may use it.
  func add(to database: OpaquePointer) -> Int32 {
    // Sound: retained once here, and released once by the destructor, which SQLite also calls if
    // this fails.
    let data = makeData.map { Unmanaged.passRetained($0()).toOpaque() }
    let flags = SQLITE_INNOCUOUS | (isDeterministic ? SQLITE_DETERMINISTIC : 0)
    return roqua_create_function(database, name, argumentCount, flags, data, body) { pointer in
      pointer.map { Unmanaged<AnyObject>.fromOpaque($0).release() }
    }
  }
}
