import Geodesy

extension Explorer {
  /// Builds an index of where the store's owner was at any time.
  ///
  /// ```swift
  /// let whereabouts = try await explorer.whereabouts()
  /// print(whereabouts.position(at: now)?.coordinate ?? here)
  /// ```
  ///
  /// - Throws: `DatabaseError`.
  /// - Complexity: O(n log n) for n kept fixes.
  public func whereabouts() throws -> Whereabouts { try read { try Whereabouts(of: $0) } }

  /// Builds an index of where the store's owner was at any time.
  ///
  /// - Throws: `CancellationError` or `DatabaseError`.
  public func whereabouts() async throws -> Whereabouts {
    try await blocking { try $0.whereabouts() }
  }

  /// Does what the async form does, on the calling thread.
  package func position(at time: Timestamp) throws -> PositionEstimate? {
    try whereabouts().position(at: time)
  }

  /// Estimates where the store's owner was at a time. For more than one time, keep the result of
  /// `whereabouts()`: each call reads all kept fixes.
  ///
  /// ```swift
  /// if let estimate = try await explorer.position(at: now) {
  ///   print(explorer.place(at: estimate.coordinate).city ?? "nowhere near a city")
  /// }
  /// ```
  ///
  /// - Returns: nil if nothing is known within a day of the time.
  /// - Throws: `CancellationError` or `DatabaseError`.
  public func position(at time: Timestamp) async throws -> PositionEstimate? {
    try await blocking { try $0.position(at: time) }
  }
}
