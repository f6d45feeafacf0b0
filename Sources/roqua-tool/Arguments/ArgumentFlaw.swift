/// What is wrong with the value of an option. ArgumentParser prints it after the value and the
/// option: "The value '0' is invalid for '--limit <n>': it must be …".
struct ArgumentFlaw: Error, Hashable, CustomStringConvertible {
  let description: String

  /// - Parameter clause: what is wrong, in words that follow "it".
  init(_ clause: String) { description = "it \(clause)" }
}
