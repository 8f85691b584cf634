package import DecantBase
package import DecantStore

/// A kind whose stores are SQLite files.
package protocol DatabaseKind: StoreKind {
  /// The store in `database`, which was made in a temporary folder and goes by another's name.
  ///
  /// - Parameters:
  ///   - database: The file.
  ///   - uuid: The identifier of the store whose objects it holds; `nil` for its own.
  ///   - fallback: The model, where it does not hold its own.
  ///   - options: How it is read.
  /// - Returns: The store.
  /// - Throws: `DecantError` where it cannot be read, or options do not fit.
  func source(
    in database: DatabaseFile,
    uuid: String?,
    fallback: Model?,
    options: CopyOptions
  ) throws(DecantError) -> any SourceStore

  /// Has a copy into `made` begin with a store of the model of `store` that holds nothing.
  ///
  /// - Parameters:
  ///   - made: Where it is to be; it may be made here.
  ///   - store: The store whose model it has.
  ///   - options: Those of the copy.
  ///   - copy: Copies from `store` to `made` with other options.
  /// - Throws: `DecantError` where it cannot be made.
  func prepareEmpty(
    _ made: StoreLocation,
    like store: StoreLocation,
    _ options: inout CopyOptions,
    copying copy: (CopyOptions) throws(DecantError) -> Void
  ) throws(DecantError)
}

extension DatabaseKind {
  package func check(_ location: StoreLocation) throws(DecantError) {
    try FilePlace.check(location)
  }
}
