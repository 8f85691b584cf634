internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantStore

/// Opens one source, and the destination for it.
struct OneStoreOpener: StoreOpener {
  // Unchecked, but safe: the copy runs on the thread that created them.
  nonisolated(unsafe) let source: any SourceStore
  nonisolated(unsafe) let destination: (StoreLocation) throws(DecantError) -> any DestinationStore

  func openSource(_ location: StoreLocation, options: CopyOptions) throws(DecantError) -> any SourceStore { source }

  func openDestination(_ location: StoreLocation, like source: any SourceStore, options: CopyOptions)
    throws(DecantError) -> any DestinationStore
  { try destination(location) }

  func write(_ rejects: RejectedObjects, of source: any SourceStore) throws(DecantError) -> any PendingFile {
    throw DecantError(.unsupportedRequest, "rows of a server are not rejected")
  }
}
