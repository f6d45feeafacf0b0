import ByteStreams
import FogMap
import GeoStore
import GridHash
import SQLiteLayer

/// Writes map tiles to a PMTiles archive, a single file that maps read over the network in parts.
///
/// An archive of pictures is all fog where nothing is explored, at every zoom: tiles that are alike
/// and follow each other take one entry.
enum PMTilesFile {
  /// Writes an archive; `-` is standard output.
  ///
  /// - Parameters:
  ///   - files: files that are never overwritten, with a description of each.
  ///   - isReplacing: true to replace an existing file.
  static func write(
    _ coverage: Coverage, to path: String, _ options: MapTileOptions,
    keeping files: [FileIdentity: String], replacing isReplacing: Bool
  ) throws(DatabaseError) -> MapTileReport {
    let job = try MapTileJob(coverage, options, compressed: true, path: path)
    let file = try DatabaseOutput(path: path, keeping: files, replacing: isReplacing)
    let spool = try TileSpool(for: path)
    let meter = WorkMeter.current
    var report = MapTileReport(path: path, isRenewal: false)
    var writer = PMTilesWriter(job.style.format, zooms: job.options.zooms)
    let first = MapTile.firstNumber(ofZoom: job.options.zooms.lowerBound)
    func fill(upTo number: UInt64) {
      let next = max(writer.nextNumber, first)
      guard let fog = job.maker.fogged, next < number else { return }
      writer.append(fog, number: next, count: number - next) { spool.append($0) }
    }
    try job.pyramid.forEachTile(coverage.tileKeys) { (tile, bytes) throws(DatabaseError) in
      try Cancellation.checkCurrent(for: path)
      meter?.add(1)
      fill(upTo: tile.number)
      writer.append(bytes, number: tile.number, count: 1) { spool.append($0) }
      report.written += 1
    }
    fill(upTo: MapTile.firstNumber(ofZoom: job.options.zooms.upperBound + 1))
    let metadata = MBTilesSchema.json(
      name: JSONValue.string(job.options.name).description,
      credits: JSONValue.string(MapWording.dataCredits).description, format: job.style.format,
      zooms: job.options.zooms)
    let head: [UInt8]
    do {
      head = try writer.finish(metadata: metadata, bounds: job.bounds)
    } catch {
      throw .cannotWrite(path: path, reason: "there is not enough memory to compress it")
    }
    if file.write(head) { try spool.forEachPiece { file.write($0) } }
    try file.finish()
    return report
  }
}
