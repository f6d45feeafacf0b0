import ByteStreams

extension FileDecoder {
  /// The bytes of one source, before they are expanded: a file, or a member of an archive.
  struct SourceBytes {
    /// The path of the file as given, for a member of an archive joined with its name.
    let path: String
    /// True if the source is imported or refused, but never just ignored.
    let isClaimedTrack: Bool
    /// True for a file, false for a member of an archive. A file whose gzip stream is damaged is
    /// refused even if it does not claim to be a track; a member is left out.
    let isFile: Bool
    /// The stated size after decompression; nil if unknown or if the source can be read only once.
    let expectedBytes: Int?
    /// What the archive that the source is in may still expand to; nil for a file.
    var budget: ExpansionBudget?
    /// Passes the bytes in pieces to the sink until it returns false.
    let read: (_ sink: (UnsafeRawBufferPointer) -> Bool) -> StreamEnding

    /// The path without the ending of a compressed file.
    var expandedName: String {
      path.lowercased().hasSuffix(".gz") ? String(path.dropLast(3)) : path
    }

    /// Hands out the bytes, expanded where they are gzip.
    func readExpanded(to sink: (UnsafeRawBufferPointer) -> Bool) -> StreamEnding {
      var decompressor = Decompressor(within: budget)
      var ending = read { decompressor.read($0, to: sink) }
      let expanded = decompressor.finish(to: sink)
      ending.warnings = expanded.warnings + ending.warnings
      // A truncated archive truncates its contents too; damage in the contents is found first.
      if let error = expanded.error { ending.error = error }
      return ending
    }
  }
}
