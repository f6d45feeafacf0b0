// The C library instead of Foundation, whose 9 MB would count as the geocoder's memory.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

func arcSineDegrees(_ value: Double) -> Double { asin(value) * 180 / .pi }
func cosineOfDegrees(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }

/// The peak resident memory in bytes.
///
/// On Linux not from `getrusage`, which includes the memory of the parent before this program
/// replaced it. Roqua's own `ProcessUsage` is not public and imports Foundation.
func peakResidentBytes() -> Int {
  if let bytes = processStatus("VmHWM:") { return bytes }
  var usage = rusage()
  #if canImport(Darwin)
    getrusage(RUSAGE_SELF, &usage)
    return usage.ru_maxrss
  #else
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    return usage.ru_maxrss * 1024
  #endif
}

/// Resident memory that no file backs, in bytes: heap, stacks and written data; nil if the system
/// does not report it.
func anonymousResidentBytes() -> Int? { processStatus("RssAnon:") }

/// A value from Linux's `/proc/self/status`, converted from KiB to bytes; nil on other systems.
private func processStatus(_ name: String) -> Int? {
  guard let file = fopen("/proc/self/status", "r") else { return nil }
  defer { fclose(file) }
  // Sound: `fgets` writes at most `line.count` bytes, with the final zero.
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, Int32(line.count), file) != nil {
    let words = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }.split { $0 == 32 || $0 == 9 }
    if words.count >= 2, words[0].elementsEqual(name.utf8) {
      return Int(String(decoding: words[1], as: UTF8.self)).map { $0 * 1024 }
    }
  }
  return nil
}

/// Writes positions as pairs of eight-byte numbers, latitude first; returns whether that worked.
func write(_ points: [(latitude: Double, longitude: Double)], to path: String) -> Bool {
  guard let file = fopen(path, "wb") else { return false }
  let numbers = points.flatMap { [$0.latitude, $0.longitude] }
  // Sound: a Double has eight bytes, and `fwrite` reads `numbers.count` of them.
  let written = fwrite(numbers, 8, numbers.count, file)
  return fclose(file) == 0 && written == numbers.count
}
