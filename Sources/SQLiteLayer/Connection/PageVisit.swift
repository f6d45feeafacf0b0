/// A page that must be visited, and what it is by the page that references it.
struct PageVisit {
  /// The number of the page, from 1 on.
  let number: UInt32
  let role: Role

  enum Role {
    /// A page of a table or an index.
    case tree
    /// A page of an overflow chain, and the number of a cell's bytes in it and those after it.
    case chain(byteCount: UInt32)
    /// A page of the freelist with a list of others.
    case trunk
    /// A page of the freelist without one.
    case leaf
  }

  /// What pages say of others, and which of their own bytes are unused.
  struct Findings {
    var visits: [PageVisit] = []
    /// Ranges of the file that have any byte other than zero.
    var unused: [Range<Int64>] = []
    /// The page of a table or an index that was parsed last.
    private var tree = TreePage()

    /// Adds what a page says. Returns false if it does not follow the format.
    mutating func add(_ page: PageBytes, of visit: PageVisit) -> Bool {
      switch visit.role {
      case .tree: return addTree(page, visit.number)
      case .chain(let byteCount): return addChain(page, visit.number, Int(byteCount))
      case .trunk: return addTrunk(page, visit.number)
      case .leaf:
        note(0..<page.count, of: page, visit.number)
        return true
      }
    }

    /// The bytes of the first page of the file stay, because it contains texts of the schema.
    private mutating func addTree(_ page: PageBytes, _ number: UInt32) -> Bool {
      guard tree.read(page, headerStart: number == 1 ? 100 : 0) else { return false }
      for child in tree.children { visits.append(PageVisit(number: child, role: .tree)) }
      for chain in tree.chains {
        // At most 2^31 - 1: no cell is larger.
        visits.append(
          PageVisit(number: chain.first, role: .chain(byteCount: UInt32(chain.byteCount))))
      }
      if number > 1 {
        for range in tree.unused { note(range, of: page, number) }
      }
      return true
    }

    private mutating func addChain(
      _ page: PageBytes, _ number: UInt32, _ byteCount: Int
    ) -> Bool {
      let room = page.count - 4
      let next = page.number32(at: 0)
      if byteCount > room {
        visits.append(PageVisit(number: next, role: .chain(byteCount: UInt32(byteCount - room))))
        return true
      }
      note(4 + byteCount..<page.count, of: page, number)
      return next == 0
    }

    private mutating func addTrunk(_ page: PageBytes, _ number: UInt32) -> Bool {
      let count = Int(page.number32(at: 4))
      guard count <= page.count / 4 - 2 else { return false }
      for index in 0..<count {
        visits.append(PageVisit(number: page.number32(at: 8 + 4 * index), role: .leaf))
      }
      note(8 + 4 * count..<page.count, of: page, number)
      let next = page.number32(at: 0)
      if next != 0 { visits.append(PageVisit(number: next, role: .trunk)) }
      return true
    }

    /// Records a part of a page, if it has any byte other than zero.
    private mutating func note(_ range: Range<Int>, of page: PageBytes, _ number: UInt32) {
      guard page.hasContent(in: range) else { return }
      let place = Int64(number - 1) * Int64(page.count)
      unused.append(place + Int64(range.lowerBound)..<place + Int64(range.upperBound))
    }
  }
}
