package import DecantBase
package import DecantStore

/// A kind of store in SQLite files.
package protocol DatabaseKind: StoreKind {
  /// Returns the store in `database`, a temporary file that represents another store.
  ///
  /// - Parameters:
  ///   - database: The file.
  ///   - uuid: The identifier of the store whose objects it contains; `nil` for its own.
  ///   - fallback: The model, if it does not contain its own.
  ///   - options: How it is read.
  /// - Returns: The store.
  /// - Throws: `DecantError` if it cannot be read, or options do not fit.
  func source(
    in database: DatabaseFile,
    uuid: String?,
    fallback: Model?,
    options: CopyOptions
  ) throws(DecantError) -> any SourceStore

  /// Prepares a copy into `made` that begins with an empty store with the model of `store`.
  ///
  /// - Parameters:
  ///   - made: The place of the new store, which may be created here.
  ///   - store: The store with the model.
  ///   - options: The options of the copy.
  ///   - copy: Copies from `store` to `made` with other options.
  /// - Throws: `DecantError` if it cannot be created.
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
