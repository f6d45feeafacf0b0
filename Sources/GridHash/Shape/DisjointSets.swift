/// Numbers from 0 that are joined to sets, each of which has one of them as its root.
///
/// - Complexity: a call takes nearly constant time on average: paths are halved as they are walked.
package struct DisjointSets {
  private var parents: [Int]

  /// Creates sets of one number each.
  package init(count: Int) { parents = Array(0..<count) }

  /// The smallest number of a set.
  package mutating func root(of number: Int) -> Int {
    var number = number
    while parents[number] != number {
      parents[number] = parents[parents[number]]
      number = parents[number]
    }
    return number
  }

  /// Joins the sets of two numbers.
  package mutating func join(_ one: Int, _ other: Int) {
    let (first, second) = (root(of: one), root(of: other))
    parents[max(first, second)] = min(first, second)
  }
}
