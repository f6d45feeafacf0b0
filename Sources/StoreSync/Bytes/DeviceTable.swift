/// The devices that a state names, each once, so that everything else names them by number.
struct DeviceTable {
  private let devices: [DeviceName]
  private let numbers: [DeviceName: Int]
  private var isUsed: [Bool]

  /// The devices of all positions and stamps of a state.
  init(of state: SharedState) {
    var found: Set<DeviceName> = []
    for case .present(let source) in state.sources.values {
      for piece in source.pieces { found.insert(piece.position.device) }
    }
    for setting in state.settings.values { found.insert(setting.stamp.device) }
    for case .removed(let stamp) in state.zones.values { found.insert(stamp.device) }
    devices = found.sorted()
    isUsed = []
    numbers = Dictionary(uniqueKeysWithValues: devices.enumerated().map { ($1, $0) })
  }

  /// Reads a table.
  init(from reader: inout PayloadReader) throws(SyncFormatError) {
    var devices: [DeviceName] = []
    for _ in 0..<(try reader.count(ofAtLeast: 8)) {
      let device = try reader.name(DeviceName.self)
      if let last = devices.last, last >= device { throw reader.error(.unsorted) }
      devices.append(device)
    }
    (self.devices, numbers) = (devices, [:])
    isUsed = Array(repeating: false, count: devices.count)
  }

  /// Writes the table.
  func write(to writer: inout PayloadWriter) {
    writer.count(devices.count)
    for device in devices { writer.name(device) }
  }

  /// Writes the number of a device.
  func write(_ device: DeviceName, to writer: inout PayloadWriter) {
    guard let number = numbers[device] else { preconditionFailure("the table has every device") }
    writer.count(number)
  }

  /// Reads the number of a device.
  mutating func device(from reader: inout PayloadReader) throws(SyncFormatError) -> DeviceName {
    let number = try reader.varint()
    guard number < UInt64(devices.count) else { throw reader.error(.outOfRange) }
    isUsed[Int(number)] = true
    return devices[Int(number)]
  }

  /// Whether every device of the table was read.
  var isComplete: Bool { isUsed.allSatisfy { $0 } }
}
