import Foundation
import GeoStore
import Geodesy
import TrackIngest

/// Reads one file, decodes and filters it, and hands its kept fixes to a stream. Runs on a thread of its own.
struct FileDecoder {
  /// Bytes that are read at once.
  static let chunkBytes = 1 << 18

  let store: Store?
  let filter: FilterSettings
  let extras: Set<ExtraPoints>
  let now: Timestamp

  /// Reads `file` to its end, or to where the stream is abandoned.
  func decode(_ file: FoundFile, into stream: SourceStream) {
    stream.end(outcome(of: file, into: stream))
  }

  private func outcome(of file: FoundFile, into stream: SourceStream) -> DecodedFile {
    var decoded = DecodedFile(report: TrackReport())
    let descriptor = file.systemPath.map { open($0, O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
    guard descriptor >= 0 else {
      decoded.report.error = FileFinder.error(errno)
      return decoded
    }
    defer { if file.systemPath != nil { close(descriptor) } }

    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkBytes, alignment: 16)
    defer { buffer.deallocate() }
    if let duplicate = duplicate(descriptor, buffer: buffer) { return duplicate }

    var hash = SHA256()
    var reader = TrackReader(filter: filter, including: extras, now: now)
    while true {
      let count = readSome(descriptor, into: buffer)
      guard count >= 0 else {
        decoded.report.error = FileFinder.error(errno)
        return decoded
      }
      if count == 0 { break }
      decoded.bytes += count
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      hash.update(bytes)
      reader.read(bytes)
      if reader.isRefused { break }  // whatever follows: a film need not be read to its end
      guard hand(over: &reader, to: stream) else { return decoded }
    }
    decoded.report = reader.finish()
    _ = hand(over: &reader, to: stream)
    if decoded.report.error == nil { decoded.sha256 = hash.finalizeHexadecimal() }
    return decoded
  }

  /// Hands over what was accepted since the last time; false where nobody reads any more.
  private func hand(over reader: inout TrackReader, to stream: SourceStream) -> Bool {
    let accepted = reader.takeAccepted()
    guard !accepted.isEmpty else { return true }
    return stream.push(
      accepted.map {
        KeptFix(
          coordinate: $0.fix.coordinate, time: $0.fix.time,
          accuracyMeters: $0.fix.horizontalAccuracyMeters, startsSegment: $0.startsSegment)
      })
  }

  /// Whether the store has a regular file's bytes already. Only a file of the same size as a stored source is
  /// summed before it is decoded, so that importing a folder again costs a sum and no decoding.
  private func duplicate(_ descriptor: Int32, buffer: UnsafeMutableRawBufferPointer) -> DecodedFile? {
    var status = stat()
    guard let store, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    // Standard input may be a file that another program has read a part of.
    let start = lseek(descriptor, 0, SEEK_CUR)
    guard start >= 0 else { return nil }
    let bytes = Int(status.st_size - start)
    // Where the store cannot answer, the writer meets the error.
    let isCandidate = try? store.read { (snapshot) throws(StoreError) in
      try snapshot.hasSource(bytes: bytes)
    }
    guard isCandidate == true else { return nil }
    guard let sum = sha256OfRest(descriptor, buffer: buffer),
      let format = try? store.read({ (snapshot) throws(StoreError) in
        try snapshot.formatOfSource(sha256: sum)
      })
    else {
      lseek(descriptor, start, SEEK_SET)
      return nil
    }
    var report = TrackReport()
    report.format = SourceFormat(rawValue: format)
    return DecodedFile(sha256: sum, bytes: bytes, report: report, isKnownDuplicate: true)
  }

  /// The sum of a file's bytes up to its end, in hexadecimal digits; nil where they cannot be read.
  private func sha256OfRest(_ descriptor: Int32, buffer: UnsafeMutableRawBufferPointer) -> String? {
    var hash = SHA256()
    while true {
      let count = readSome(descriptor, into: buffer)
      if count < 0 { return nil }
      if count == 0 { return hash.finalizeHexadecimal() }
      hash.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }

  /// As many bytes as there are, up to the buffer's size; 0 at the end, -1 on failure.
  private func readSome(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 || errno != EINTR { return count }
    }
  }
}
