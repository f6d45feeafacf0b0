/// The start or end tag that is being read.
struct XMLTag {
  var name = XMLName()
  /// The name of the attribute that is being read.
  var attribute = BoundedText(limit: XMLLimits.nameBytes)
  /// True if the handler reads the value of the attribute.
  var isValueRead = false
  /// True if the tag is not well formed.
  var isOdd = false

  /// Starts another tag. Its name is reset separately, because end tags have one too.
  mutating func reset() { isOdd = false }
}
