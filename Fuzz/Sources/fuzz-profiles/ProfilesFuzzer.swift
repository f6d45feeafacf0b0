import FuzzSupport

@testable import Profiles

/// The list of profiles: any bytes are refused with a reason, or are a list that is written again
/// and read as the same.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzProfiles(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  let list: ProfileRegistry
  do throws(ProfileRegistry.ReadFailure) {
    list = try ProfileRegistry(bytes: input.body)
  } catch {
    if case .damaged(let reason) = error { require(!reason.isEmpty, "damage without a reason") }
    return 0
  }
  let written = list.bytes
  guard let same = try? ProfileRegistry(bytes: written) else {
    fatalError("a list that was written is refused")
  }
  require(same == list, "a list that was written is another one")
  requireEqual(same.bytes, written, "a list read and written")
  require(list.profiles.contains(list.selected), "the selected profile is not in the list")
  for profile in list.profiles {
    require((try? list.profile(profile.id.text)) != nil, "a profile is not found by its id")
    require((try? list.profile(profile.name)) == profile, "a profile is not found by its name")
  }
  return 0
}
