internal import ArgumentParser
internal import DecantPlan
internal import DecantStore

/// The option for the memory limit of database caches.
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

  /// Sets the limit for all connections that are opened afterwards.
  func apply() {
    if let memory { MemoryLimit.bytes = memory }
  }
}

/// A verb with a memory limit.
protocol MemoryLimited {
  var memory: MemoryOptions { get }
}
