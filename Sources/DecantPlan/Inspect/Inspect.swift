public import DecantBase
public import DecantStore

/// A look at what a store holds, how much of it, and what is wrong with it; the store is never changed.
///
/// A value that can be kept and run again; nothing is opened before it runs.
public struct Inspect: Runnable {
  public let store: StoreLocation
  /// How to read a Core Data store that does not hold its own model: a model's place.
  public var model: String?
  private let opener: any StoreOpener

  /// Describes a look at a store of the kinds that `opener` knows.
  package init(_ store: StoreLocation, model: String? = nil, opener: any StoreOpener) {
    (self.store, self.model, self.opener) = (store, model, opener)
  }

  public var operation: DecantOperation<Inspection> {
    DecantOperation("inspection", .inspect) { cancellation, tell throws(DecantError) in
      tell(.began(.read))
      var options = CopyOptions()
      options.model = model
      let source = try opener.openSource(store, options: options)
      return try Inspector(source, .quick, cancellation).inspection(tell)
    }
  }
}
