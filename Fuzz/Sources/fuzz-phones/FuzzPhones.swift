import FuzzSupport
import Geodesy

@testable import PhoneProtocols

/// Any message of any app gives valid fixes or an error. A body of JSON without its last byte that
/// is not white space gives no fix: a phone that is answered "received" deletes what it sent.
///
/// Bits 0 to 2 of the choice select the app. Bit 3 puts the bytes into the query, bit 4 calls the
/// body JSON, bit 5 a form.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPhones(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  let apps = PhoneApp.allCases
  let app = apps[Int(input.choice & 7) % apps.count]
  let bytes = input.body
  let now = Timestamp(millisecondsSince1970: 1_800_000_000_000)
  let type =
    input.choice & 16 != 0
    ? "application/json" : input.choice & 32 != 0 ? "application/x-www-form-urlencoded" : nil
  let isQuery = input.choice & 8 != 0
  let message = PhoneMessage(
    query: FormFields(isQuery ? bytes : []), contentType: type, body: isQuery ? [] : bytes)
  guard let reading = try? app.read(message, now: now) else { return 0 }
  for fix in reading.fixes {
    precondition(abs(fix.coordinate.latitudeE7) <= 900_000_000, "a latitude is out of range")
    precondition((fix.time?.millisecondsSince1970 ?? 0) >= 0, "a time is before 1970")
    precondition(
      (fix.time ?? now).millisecondsSince1970 <= now.millisecondsSince1970 + 86_400_000,
      "a time is in the future")
  }
  if !isQuery, message.isJSON, let last = bytes.lastIndex(where: { $0 > 0x20 }) {
    let cut = PhoneMessage(contentType: "application/json", body: Array(bytes[..<last]))
    let rest = try? app.read(cut, now: now)
    precondition(rest?.fixes.isEmpty ?? true, "a message that is cut off gives fixes")
  }
  return 0
}
