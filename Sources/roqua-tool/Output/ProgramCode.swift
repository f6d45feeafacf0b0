#if os(Linux)
  import Foundation

  /// The program's code in memory.
  enum ProgramCode {
    /// Gives back the pages that are in memory; those that still run are mapped again from the page
    /// cache, in microseconds.
    ///
    /// A command that answers millions of lines runs a small part of the code. What only its start
    /// needed, about 10 MB of a statically linked tool, need not stay next to the place data.
    ///
    /// - Source: proc_pid_maps(5): a line has the addresses, the permissions, offset, device, inode
    ///   and path.
    static func release() {
      guard let maps = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8),
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      else { return }
      // Only code, which is never written: other pages would lose their content.
      for line in maps.split(separator: "\n")
      where line.contains(" r-xp ") && line.hasSuffix(" " + program) {
        let ends = line.prefix { $0 != " " }.split(separator: "-")
          .compactMap { UInt($0, radix: 16) }
        guard ends.count == 2, ends[0] < ends[1] else { continue }
        // Sound: the pages are mapped from the program's file, read only; a failure changes
        // nothing.
        madvise(UnsafeMutableRawPointer(bitPattern: ends[0]), Int(ends[1] - ends[0]), MADV_DONTNEED)
      }
    }
  }
#endif
