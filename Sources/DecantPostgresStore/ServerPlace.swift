internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantStore

/// A place on a server: requirements for files do not apply, except to the temporary ones.
protocol ServerPlace: OwnPlace {
  var server: Server { get }
}

extension ServerPlace {
  var address: String { server.place }

  func check(_ destination: any DestinationStore, _ options: CopyOptions) throws(DecantError) {}

  func checkIsThere(after error: DecantError) throws(DecantError) {}

  /// Throws if there is no space for the temporary files of the planned copy.
  func checkTemporaryRoom(for planning: any PlannedCopy) throws(DecantError) {
    // The rows are in temporary files twice: for sending, and after being read back.
    try CopyRoom(databaseByteCount: planning.sourceByteCount).check(beside: ScratchFolder.parent + "/")
  }
}
