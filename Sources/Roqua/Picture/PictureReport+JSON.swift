extension PictureReport {
  /// The document that `roqua map --json` prints for pictures.
  package var json: JSONValue {
    [
      "path": .string(path), "format": .string(format.rawValue), "width": .integer(width),
      "height": .integer(height), "frames": .integer(frames), "bytes": .integer(bytes),
      "cells": .integer(cells), "notes": .array(notes.map { .string($0) }),
    ]
  }
}
