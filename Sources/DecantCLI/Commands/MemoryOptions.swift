internal import ArgumentParser
internal import DecantPlan
internal import DecantStore

/// How much memory a verb may take for what it keeps of databases.
struct MemoryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How much memory to use for database pages, such as 512MiB. More helps with large indexes. (default: 64 MiB)",
      valueName: "size",
      visibility: .rare
    ),
    transform: ByteCount.argument
  )
  var memory: Int64?

  func validate() throws {
    guard let memory, memory < MemoryLimit.smallest else { return }
    throw ValidationError("--memory must be at least 1 MiB")
  }

  /// Sets the limit, for every connection that is opened after this.
  func apply() {
    if let memory { MemoryLimit.bytes = memory }
  }
}

/// A verb whose memory can be limited.
protocol MemoryLimited {
  var memory: MemoryOptions { get }
}
