import Foundation
import FuzzSupport
@testable import Geodesy
@testable import GridHash

@testable import Roqua

/// The app's lists in JSON: any bytes are refused or give entries, and the original text of each
/// entry, parsed alone, has the same meaning.
///
/// Bit 0 of the choice selects explored circles or grid hashes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzLists(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  FuzzFolder.write(input.body, to: listName)
  if input.choice & 1 == 0 {
    check(ExploredCircle.self, input) { AppRegionReader.coordinate($0.latitude, $0.longitude) }
  } else {
    check(String.self, input) { Cell(gridHash: $0) }
  }
  return 0
}

private let listName = "list.json"

private func check<Entry: Decodable, Element: Equatable>(
  _ entry: Entry.Type, _ input: FuzzInput, _ meaning: (Entry) -> Element?
) {
  let list: AppList<Element>
  do {
    list = try AppList<Element>(path: FuzzFolder.file(listName), of: entry, meaning)
  } catch {
    require(error is ExplorerError, "an error of another kind: \(error)")
    return
  }
  require(list.bytes == input.body.count, "\(list.bytes) bytes of \(input.body.count)")
  for (index, element) in list.elements.enumerated() {
    let original = list.original(index)
    let alone = (try? JSONDecoder().decode(entry, from: Data(original.utf8))).flatMap(meaning)
    require(
      alone == element,
      "entry \(index), \(original): \(element as Any), alone \(alone as Any)")
  }
}
