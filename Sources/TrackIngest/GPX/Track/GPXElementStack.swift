/// The open elements.
struct GPXElementStack {
  /// An open element.
  struct Element {
    var name: NameHash
    var kind: GPXElement
    /// True if nothing below is a track, route or point: `extensions`, foreign namespaces, a root
    /// other than `gpx`.
    var isBarrier: Bool
  }

  private(set) var open: [Element] = []
  /// Open elements deeper than ``XMLLimits/depth``, which are not in ``open``.
  var overflowDepth = 0
  /// Barriers among the open elements.
  private(set) var barrierDepth = 0

  /// No open elements.
  init() { open.reserveCapacity(32) }

  /// Opens an element.
  mutating func push(_ element: Element) {
    open.append(element)
    if element.isBarrier { barrierDepth += 1 }
  }

  /// Closes the innermost element; nil if none is open.
  mutating func pop() -> Element? {
    guard let closed = open.popLast() else { return nil }
    if closed.isBarrier { barrierDepth -= 1 }
    return closed
  }
}
