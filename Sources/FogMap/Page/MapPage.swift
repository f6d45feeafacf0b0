import ByteStreams

/// A map as one self-contained HTML page: it makes no request and needs no other file.
package struct MapPage: Sendable {
  /// The title, as plain text.
  package var title: String
  /// The numbers, settings, themes and credits: a JSON document.
  package var json: String
  /// The lists of places and the names on the map: a JSON document.
  package var lists: String
  /// The explored cells.
  package var cells: [UInt8]
  /// The visited regions.
  package var regions: [UInt8]
  /// The tracks.
  package var tracks: [UInt8]

  /// Creates a page; parts that need bytes are those of ``PageCells``, ``PageRegions`` and
  /// ``PageTracks``.
  package init(
    title: String, json: String, lists: String, cells: [UInt8], regions: [UInt8], tracks: [UInt8]
  ) {
    (self.title, self.json, self.lists) = (title, json, lists)
    (self.cells, self.regions, self.tracks) = (cells, regions, tracks)
  }

  /// The page in UTF-8. Nil if memory runs out.
  package var html: [UInt8]? {
    guard let stream = try? DeflateStream(.raw, level: 9) else { return nil }
    let parts: [String: [UInt8]] = [
      "title": Self.escaped(title),
      "style": Array(MapPageFile.style.bytes),
      // No text of the document can end the element that contains it.
      "page": Array(json.replacing("<", with: "\\u003c").utf8),
      "cells": Base64.encoded(stream.compress(cells)),
      "basemap": Base64.encoded(BaseMap.linkedIn.shapes),
      "lists": Base64.encoded(stream.compress(Array(lists.utf8))),
      "regions": Base64.encoded(stream.compress(regions)),
      "tracks": Base64.encoded(stream.compress(tracks)),
      "worker": Array(MapPageFile.worker.bytes),
      "script": Array(MapPageFile.script.bytes),
    ]
    var html: [UInt8] = []
    var rest = MapPageFile.page.text[...]
    while let open = rest.firstRange(of: "{{"), let close = rest.firstRange(of: "}}") {
      html.append(contentsOf: rest[..<open.lowerBound].utf8)
      let name = String(rest[open.upperBound..<close.lowerBound])
      html.append(contentsOf: parts[name] ?? [])
      rest = rest[close.upperBound...]
    }
    html.append(contentsOf: rest.utf8)
    return html
  }

  /// A text as HTML.
  private static func escaped(_ text: String) -> [UInt8] {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return Array(escaped.utf8)
  }
}
