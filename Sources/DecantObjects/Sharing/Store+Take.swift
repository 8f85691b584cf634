public import DecantBase
public import DecantPlan
internal import DecantSystem
internal import DecantStore
internal import DecantTransfer

/// Objects of archives, taken into a store.
extension Store {
  /// Takes the objects of an archive, and what comes with them, into this store: all of them or none.
  ///
  /// - Parameters:
  ///   - bytes: A whole archive, packed or not.
  ///   - rules: What makes two objects the same, and what becomes of those that differ; by default what is here stays.
  /// - Returns: The report of the import.
  /// - Throws: `DecantError`; the store is as it was then.
  @discardableResult
  public func take(_ bytes: [UInt8], rules: MergeRules = MergeRules(.skip)) throws(DecantError) -> [CopyReport] {
    var rest: [UInt8]? = bytes
    return try take(rules: rules) {
      defer { rest = nil }
      return rest
    }
  }

  /// Takes the objects of an archive that comes in pieces; memory stays flat.
  ///
  /// - Parameters:
  ///   - rules: What makes two objects the same, and what becomes of those that differ.
  ///   - next: Returns the next bytes of the archive, and `nil` after the last; nothing is imported where it throws.
  /// - Returns: The report of the import.
  /// - Throws: What `next` throws, or `DecantError`; the store is as it was then.
  @discardableResult
  public func take(rules: MergeRules = MergeRules(.skip), _ next: () throws(DecantError) -> [UInt8]?)
    throws(DecantError) -> [CopyReport]
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

  /// Takes the objects of an archive at a path, as ``Import`` does.
  @discardableResult
  public func take(archive path: String, rules: MergeRules = MergeRules(.skip)) throws(DecantError) -> [CopyReport] {
    var archive = Import([path], into: location.description)
    archive.rules = rules
    archive.reading = readers.options.reading
    // The import locks the whole store: this one's own connections must not be in its way.
    return try writer.standAside { () throws(DecantError) in
      try watch.standAside { () throws(DecantError) in
        readers.closeIdle()
        return try archive.run(cancellation: ReadStop.cancellation ?? Cancellation())
      }
    }
  }

  /// As `take(_:rules:)`, on a thread of the store's.
  @discardableResult
  public func take(_ bytes: [UInt8], rules: MergeRules = MergeRules(.skip)) async throws(DecantError) -> [CopyReport] {
    try await readers.onThread { () throws(DecantError) in try self.take(bytes, rules: rules) }
  }
}
