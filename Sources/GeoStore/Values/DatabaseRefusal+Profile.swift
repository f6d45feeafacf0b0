import SQLiteLayer

extension DatabaseRefusal {
  /// The store belongs to another profile than the one that opens it. It was not changed.
  public static let otherProfile = DatabaseRefusal("the store belongs to another profile")
}
