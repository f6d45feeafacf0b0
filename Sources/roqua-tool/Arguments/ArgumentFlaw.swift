/// What is wrong with the value of an option. ArgumentParser prints it after the value and the
/// option: "The value '0' is invalid for '--limit <n>': it must be …".
struct ArgumentFlaw: Error, Hashable, CustomStringConvertible {
  let description: String

  /// - Parameters:
  ///   - clause: what is wrong, in words that follow the subject.
  ///   - subject: what it is about.
  init(_ clause: String, subject: String = "it") { description = "\(subject) \(clause)" }
}
