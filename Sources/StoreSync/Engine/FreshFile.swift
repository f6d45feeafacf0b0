/// What is in a source file that this device has just named and not written yet.
struct FreshFile {
  /// The digest of its row; nil if it has none.
  var row: Digest?
  /// The digest of its piece; nil if it has none.
  var piece: Digest?
}
