import TestSupport
import Testing

@testable import GeoExport

@Suite struct FlatGeobufIndexTests {
  @Test(arguments: [
    (1, [1]), (15, [1]), (16, [1]), (17, [2, 1]), (256, [16, 1]), (257, [17, 2, 1]),
    (4_096, [256, 16, 1]), (4_097, [257, 17, 2, 1]),
  ])
  func `a level has a sixteenth of the nodes of the level below`(count: Int, levels: [Int]) {
    let tree = FlatGeobufIndex(leafCount: count) { leaf in
      var box = ExportBounds()
      box.include(x: Double(leaf), y: -Double(leaf))
      return box
    }
    #expect(tree.levels.map(\.count) == levels)
    #expect(tree.extent.minX == 0 && tree.extent.maxX == Double(count - 1))
    #expect(tree.extent.maxY == 0 && tree.extent.minY == -Double(count - 1))
  }

  @Test func `the children of each node are inside its box, and each leaf is reached once`() throws
  {
    for count in [1, 2, 16, 17, 255, 256, 257, 1_000] {
      let collector = ExportCollector()
      let features = ExportSamples.features(.polygon, count: count, seed: UInt64(count))
      let layer = ExportSamples.layer(.polygon)
      try FlatGeobufWriter(collector.stream).write(layer, features)
      let file = FlatGeobufReader(collector.bytes, layer.fields.map(\.kind))
      let firstLeaf = file.nodes.count - count
      // The end of each level, from the leaves up.
      var ends = [file.nodes.count]
      var size = count
      repeat {
        ends.append((ends.last ?? 0) - size)
        size = (size + 15) / 16
      } while size > 1
      var reached: [Int] = []
      func visit(_ node: Int, height: Int) {
        guard height > 0 else {
          reached.append(node)
          return
        }
        let box = file.nodes[node].box
        let first = file.nodes[node].reference
        for child in first..<min(first + 16, ends[height - 1]) {
          let inner = file.nodes[child].box
          #expect(
            inner[0] >= box[0] && inner[1] >= box[1] && inner[2] <= box[2] && inner[3] <= box[3])
          visit(child, height: height - 1)
        }
      }
      visit(0, height: ends.count - 1)
      #expect(reached == Array(firstLeaf..<file.nodes.count))
    }
  }
}
