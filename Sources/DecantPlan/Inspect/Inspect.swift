public import DecantBase
public import DecantStore

/// An inspection of a store: its content, its size and its problems; the store is never changed.
///
/// The value can be stored and run repeatedly; nothing is opened before it runs.
public struct Inspect: Runnable {
  public let store: StoreLocation
  /// The place of a model, for a Core Data store that does not contain its own.
  public var model: String?
  /// Whether only objects and rows are counted, which takes a small part of the time.
  ///
  /// Values, links, external files and problems are then unknown, and the structure is not checked.
  public var countsOnly = false
  private let opener: any StoreOpener

  /// Describes an inspection of a store of a kind that `opener` knows.
  package init(_ store: StoreLocation, model: String? = nil, opener: any StoreOpener) {
    (self.store, self.model, self.opener) = (store, model, opener)
  }

  public var operation: DecantOperation<Inspection> {
    DecantOperation("inspection", .inspect) { cancellation, tell throws(DecantError) in
      tell(.began(.read))
      var options = CopyOptions()
      options.model = model
      options.readsPartly = !countsOnly
      let source = try opener.openSource(store, options: options)
      return try Inspector(source, countsOnly ? nil : .quick, cancellation).inspection(tell)
    }
  }
}
