import GridHash

extension StoreSettings {
  /// The grid that the exploration radius gives.
  public var grid: Grid {
    guard let grid = try? Grid(explorationRadiusMeters: self[.explorationRadiusMeters]) else {
      preconditionFailure("every exploration radius in the range of the setting gives a grid")
    }
    return grid
  }

  /// Makes sure that cells are of the grid that the exploration radius gives.
  ///
  /// - Parameter path: the store, for the error.
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
