public import DecantBase
public import DecantPlan
internal import DecantSystem
internal import DecantStore
public import DecantTransfer

/// Importing objects of archives into a store.
extension Store {
  /// Imports the objects of an archive, and their related objects, into this store: all or none.
  ///
  /// - Parameters:
  ///   - bytes: A whole archive, compressed or not.
  ///   - rules: How objects are matched and conflicts resolved; by default the store's own values stay.
  /// - Returns: The report of the import.
  /// - Throws: `DecantError`; then the store is unchanged.
  @discardableResult
  public func take(_ bytes: [UInt8], rules: MergeRules = MergeRules(.skip)) throws(DecantError) -> ImportReport {
    var rest: [UInt8]? = bytes
    return try take(rules: rules) {
      defer { rest = nil }
      return rest
    }
  }

  /// Imports the objects of an archive that arrives in pieces; memory use stays constant.
  ///
  /// - Parameters:
  ///   - rules: How objects are matched and conflicts resolved.
  ///   - next: Returns the next bytes of the archive, and `nil` after the last; if it throws, nothing is imported.
  /// - Returns: The report of the import.
  /// - Throws: The error of `next`, or `DecantError`; then the store is unchanged.
  @discardableResult
  public func take(rules: MergeRules = MergeRules(.skip), _ next: () throws(DecantError) -> [UInt8]?)
    throws(DecantError) -> ImportReport
  {
    let folder = try ScratchFolder()
    let path = "\(folder.path)/objects.decant"
    try write(path, next)
    return try take(archive: path, rules: rules)
  }

  private func write(_ path: String, _ next: () throws(DecantError) -> [UInt8]?) throws(DecantError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DecantError(SystemError("create", path)) }
    defer { close(descriptor) }
    while let bytes = try next() {
      let result = bytes.withUnsafeBytes { piece in
        Result { () throws(SystemError) in try Files.write(piece, to: descriptor, of: path) }
      }
      try explaining { () throws(SystemError) in try result.get() }
    }
  }

  /// Imports the objects of the archive at a path, like ``Import``.
  @discardableResult
  public func take(archive path: String, rules: MergeRules = MergeRules(.skip)) throws(DecantError) -> ImportReport {
    var archive = Import([path], into: location.description)
    archive.rules = rules
    archive.reading = readers.options.reading
    // The import locks the whole store, so this store's own connections are closed first.
    return try writer.standAside { () throws(DecantError) in
      try watch.standAside { () throws(DecantError) in
        readers.closeIdle()
        return try archive.run(cancellation: Cancellation.current ?? Cancellation())
      }
    }
  }

  /// Imports the objects of an archive, on a thread of the store.
  @discardableResult
  public func take(_ bytes: [UInt8], rules: MergeRules = MergeRules(.skip)) async throws(DecantError) -> ImportReport {
    try await readers.onThread { () throws(DecantError) in try self.take(bytes, rules: rules) }
  }
}
