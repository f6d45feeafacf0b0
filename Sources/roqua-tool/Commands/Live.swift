import ArgumentParser
import Foundation
import GeoStore
import Receivers
import Roqua
import TrackIngest

struct Live: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Record a GPS receiver, and see what you explore as you go.",
    discussion: """
      Reads NMEA sentences or the messages of gpsd, stores each fix that the filter keeps within a \
      second, and shows one screen on a terminal. In a pipe, or with --json, each event is a line \
      of JSON.

      A receiver that is unplugged, or a connection that is lost, is opened again after a pause of \
      half a second that grows to half a minute; the track is cut there. Ctrl-C ends the \
      recording. After a crash the store has everything up to its last second.

      Exit status: 0 the receiver or the user ended the recording, 1 failure, 64 wrong usage.
      """)

  @OptionGroup var store: StoreArguments
  @OptionGroup var language: LanguageArguments

  @Option(
    help: ArgumentHelp(
      "Name the recording. (default: the receiver's address)", valueName: "text"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      """
      Keep at most one fix in this many seconds; 0 for all, as in a file. (default: the setting \
      minimumIntervalSeconds, or 5)
      """, valueName: "seconds"), transform: Seconds.parse)
  var interval: Double?

  @Option(
    help: ArgumentHelp(
      "Set the speed of a serial line, in bits per second. (default: 9600)", valueName: "speed"),
    completion: .list(SerialLine.speeds.map(String.init)))
  var baud: Int?

  @Flag(help: "Ask gpsd for the sentences of the receiver instead of gpsd's own messages.")
  var nmea = false

  @Flag(help: "End when the receiver is lost, instead of opening it again.")
  var once = false

  @Flag(name: .shortAndLong, help: "Print errors only.")
  var quiet = false

  @Argument(
    help: ArgumentHelp(
      """
      A serial device, tcp://host:port, gpsd://host[:port][/device], a file, or - for standard \
      input.
      """, valueName: "receiver"), completion: .file())
  var receiver: String

  func validate() throws {
    let address = try address()
    if let baud, !SerialLine.speeds.contains(baud) {
      let speeds = SerialLine.speeds.map(String.init).joined(separator: ", ")
      throw ValidationError("--baud takes one of \(speeds).")
    }
    guard name?.isEmpty != true else { throw ValidationError("--name must not be empty.") }
    guard !store.json || !quiet else {
      throw ValidationError("--json cannot be combined with --quiet.")
    }
    var isGPSD = false
    if case .gpsd = address { isGPSD = true }
    guard !nmea || isGPSD else { throw ValidationError("--nmea needs a receiver gpsd://….") }
    if baud != nil {
      guard case .path = address else { throw ValidationError("--baud needs a serial device.") }
    }
  }

  private func address() throws -> ReceiverAddress {
    do throws(ReceiverAddress.Flaw) {
      return try ReceiverAddress(NegativeNumbers.original(receiver))
    } catch {
      throw ValidationError(error.description)
    }
  }

  func run() throws {
    let address = try address()
    var options = ByteSource.Options(address)
    options.baud = baud ?? SerialLine.defaultSpeed
    options.asksForNMEA = nmea
    let screen = !quiet && !store.json && LiveTerminal.isUsable
    let cancellation = Cancellation()
    // Restores the terminal if the program must end before the recording could.
    SignalCleanup.install { _ in
      (screen ? LiveTerminal.leaving : "")
        + "roqua: interrupted: the recording lacks its end; its fixes are in the store\n"
    }
    SignalCleanup.cancelFirst(cancellation, patienceSeconds: 3)
    signal(SIGPIPE, SIG_IGN)
    try Console.reportingErrors {
      if case .path(let path) = address {
        // Before anything is made or printed.
        try ExistingFile.check(
          path,
          advice: path.contains(":")
            ? "A receiver on the network is tcp://HOST:PORT or gpsd://HOST." : nil)
      }
      let explorer = try store.open(creating: true, durability: .full)
      var decoder = LiveDecoder(.any, now: LiveRecorder.now())
      if case .gpsd(_, _, let device) = address {
        decoder = LiveDecoder(nmea ? .nmea : .gpsd, device: device, now: LiveRecorder.now())
      }
      let output: any LiveOutput =
        if screen {
          LiveScreenOutput(explorer)
        } else if quiet {
          LiveNoOutput()
        } else {
          LiveLineOutput(waitsForReader: address.isFile)
        }
      let recorder = try LiveRecorder(
        explorer: explorer, name: name ?? address.description, source: address.description,
        intervalSeconds: interval, decoder: decoder, output: output, cancellation: cancellation)
      let result = Result { try recorder.run(options, reconnects: !once) }
      output.end()
      let summary = try result.get()
      if screen { Console.print(summary.sentence) }
      if output.isClosed { SignalCleanup.end(bySignal: SIGPIPE) }
    }
  }
}
