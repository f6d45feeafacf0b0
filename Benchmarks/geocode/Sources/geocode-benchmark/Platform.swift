// The C library instead of Foundation, whose own 9 MB would be counted with the geocoder's.
#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

func arcSineDegrees(_ value: Double) -> Double { asin(value) * 180 / .pi }
func cosineOfDegrees(_ degrees: Double) -> Double { cos(degrees * .pi / 180) }

/// Ends the program where a result is wrong: what is wrong is not worth timing.
func check(_ isRight: Bool, _ what: String) {
  guard !isRight else { return }
  print("wrong result: \(what)")
  exit(1)
}

/// The most memory that was resident, in bytes. On Linux not from `getrusage`, which counts what the parent held
/// before this program took its place.
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

/// How much of what is resident no file backs, in bytes: heap, stacks and written data; nil where the system does
/// not tell.
func anonymousResidentBytes() -> Int? { processStatus("RssAnon:") }

/// A number of Linux's `/proc/self/status`, which counts in KiB, in bytes; nil elsewhere.
private func processStatus(_ name: String) -> Int? {
  guard let file = fopen("/proc/self/status", "r") else { return nil }
  defer { fclose(file) }
  var line = [CChar](repeating: 0, count: 256)
  while fgets(&line, Int32(line.count), file) != nil {
    let words = line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }.split { $0 == 32 || $0 == 9 }
    if words.count >= 2, words[0].elementsEqual(name.utf8) {
      return Int(String(decoding: words[1], as: UTF8.self)).map { $0 * 1024 }
    }
  }
  return nil
}

/// Writes positions as pairs of eight-byte numbers, latitude first.
func write(_ points: [(latitude: Double, longitude: Double)], to path: String) -> Bool {
  guard let file = fopen(path, "wb") else { return false }
  let numbers = points.flatMap { [$0.latitude, $0.longitude] }
  let written = fwrite(numbers, 8, numbers.count, file)
  return fclose(file) == 0 && written == numbers.count
}
