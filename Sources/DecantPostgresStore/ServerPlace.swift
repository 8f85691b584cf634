internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantStore

/// A place on a server: what concerns files does not apply, except for the temporary ones.
protocol ServerPlace: OwnPlace {
  var server: Server { get }
}

extension ServerPlace {
  var address: String { server.place }

  func check(_ destination: any DestinationStore, _ options: CopyOptions) throws(DecantError) {}

  func checkIsThere(after error: DecantError) throws(DecantError) {}

  /// Throws if there is no space for the temporary files of the planned copy.
  func checkTemporaryRoom(for planning: any PlannedCopy) throws(DecantError) {
    // The rows are in temporary files twice: as they are sent, and as they are read back.
    try CopyRoom(databaseByteCount: planning.sourceByteCount).check(beside: ScratchFolder.parent + "/")
  }
}
