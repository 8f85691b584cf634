import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#endif

/// Writes the project's sample stores into a folder.
@main
enum SampleCommand {
  /// Runs the program: `SampleKitchen FOLDER`.
  static func main() {
    guard CommandLine.arguments.count == 2, !CommandLine.arguments[1].hasPrefix("-") else {
      print("usage: SampleKitchen FOLDER\n\nWrites the sample stores into FOLDER.")
      exit(CommandLine.arguments.dropFirst() == ["--help"] ? 0 : 64)
    }
    do {
      try write(into: CommandLine.arguments[1])
    } catch {
      print("SampleKitchen: \(error)")
      exit(1)
    }
  }

  /// Writes every sample into `folder`, which is made where it is missing.
  static func write(into folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for content in try StoreContent.samples() {
      try StoreWriter(content, in: folder).write()
    }
  }
}
