import ArgumentParser

@main
struct RoquaTool: ParsableCommand {
  @Argument var coordinates: [Double]
  func run() { print(coordinates) }
}
