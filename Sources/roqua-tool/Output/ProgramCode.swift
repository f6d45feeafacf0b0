#if canImport(Glibc)
  import Glibc

  /// The program's code in memory.
  enum ProgramCode {
    /// Gives back the pages that are in memory; those that still run are mapped again from the page
    /// cache, in microseconds.
    ///
    /// A command that answers millions of lines runs a small part of the code. What only its start
    /// needed, about 10 MB of a statically linked tool, need not stay beside the place data.
    static func release() {
      dl_iterate_phdr(
        { info, _, _ in
          guard let info = info?.pointee, let headers = info.dlpi_phdr else { return 0 }
          let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
          for number in 0..<Int(info.dlpi_phnum) {
            let header = headers[number]
            // Only what is never written: other pages would lose their content.
            guard header.p_type == PT_LOAD, header.p_flags & PF_X != 0, header.p_flags & PF_W == 0
            else { continue }
            let start = (UInt(info.dlpi_addr) + UInt(header.p_vaddr)) & ~(page - 1)
            let end = UInt(info.dlpi_addr) + UInt(header.p_vaddr) + UInt(header.p_filesz)
            // Sound: the segment is mapped from a file, read only; a failure changes nothing.
            madvise(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), MADV_DONTNEED)
          }
          // The first object is the program itself; libraries are small.
          return 1
        }, nil)
    }
  }
#endif
