import GridHash

extension StoreSettings {
  /// The grid for the exploration radius.
  public var grid: Grid {
    guard let grid = try? Grid(explorationRadiusMeters: self[.explorationRadiusMeters]) else {
      preconditionFailure("every exploration radius in the range of the setting gives a grid")
    }
    return grid
  }

  /// Checks that a grid is the one for the exploration radius.
  ///
  /// - Parameter path: the path of the store, for the error.
  /// - Throws: ``StoreError/gridMismatch(path:radiusMeters:storeRadiusMeters:)``.
  package func check(_ grid: Grid, path: String) throws(StoreError) {
    let own = self.grid
    guard grid == own else {
      throw .gridMismatch(
        path: path, radiusMeters: grid.explorationRadiusMeters,
        storeRadiusMeters: own.explorationRadiusMeters)
    }
  }
}
