/// Files that devices found damaged, though their names and sizes are right.
extension LocalState {
  /// Removes the requests for files that nothing names any more.
  mutating func dropRequests() {
    for (device, paths) in requests {
      let left = paths.filter { path in
        switch path {
        case .source(let name, let file):
          shared.sources[name]?.present?.hasFile { $0.name == file } == true
        case .manifest(let device, let counter):
          device == self.device && counter == self.counter
        case .key, .backup: false
        }
      }
      requests[device] = left.isEmpty ? nil : left
    }
  }

  /// The requested files that this device can write, and has not written a copy of.
  ///
  /// - Complexity: O(requests).
  func mendable(in list: FileList) -> Set<SyncPath> {
    var found: Set<SyncPath> = []
    for path in requests.values.joined()
    where list.sizes[path] != nil && !list.hasCopy(of: path, by: device) && has(path) {
      found.insert(path)
    }
    return found
  }

  /// Whether the store has what a file says.
  private func has(_ path: SyncPath) -> Bool {
    switch path {
    case .manifest(let device, let counter): device == self.device && counter == self.counter
    case .source(let name, let file): has(file, of: name)
    case .key, .backup: false
    }
  }

  private func has(_ file: FileName, of name: SourceName) -> Bool {
    guard let held = held[name], let source = shared.sources[name]?.present,
      source.generation == held.generation
    else { return false }
    if source.row.file.name == file, source.row.digest != held.row { return false }
    return source.row.file.name == file
      || zip(held.pieces, source.pieces).contains { held, piece in
        piece.alternatives.contains { $0.file.name == file && $0.digest == held.content }
      }
  }
}
