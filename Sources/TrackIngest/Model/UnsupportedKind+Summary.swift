extension UnsupportedKind {
  /// What files of the kind are, in a few words.
  package var summary: String {
    switch self {
    case .mldx: "MemoLanes archives"
    }
  }
}
