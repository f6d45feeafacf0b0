import ByteStreams

/// The bytes of one source, before they are expanded: a file, or a member of an archive.
struct SourceBytes {
  /// The path of the file as given, for a member of an archive joined with its name.
  let path: String
  /// Whether it is imported or refused, never merely ignored.
  let isClaimedTrack: Bool
  /// How many bytes it expands to, as it says itself; nil where that is not known, or where it can
  /// be read only once.
  let expectedBytes: Int?
  /// Hands out the bytes in pieces until the sink wants no more.
  let read: (_ sink: (UnsafeRawBufferPointer) -> Bool) -> StreamEnding

  /// The path without the ending of a compressed file.
  var expandedName: String { path.lowercased().hasSuffix(".gz") ? String(path.dropLast(3)) : path }

  /// Hands out the bytes, expanded where they are gzip.
  func readExpanded(to sink: (UnsafeRawBufferPointer) -> Bool) -> StreamEnding {
    var decompressor = Decompressor()
    var ending = read { decompressor.read($0, to: sink) }
    let expanded = decompressor.finish(to: sink)
    ending.warnings = expanded.warnings + ending.warnings
    // A cut in the archive is one in what it holds; damage in what it holds is found first.
    if let error = expanded.error { ending.error = error }
    return ending
  }
}
