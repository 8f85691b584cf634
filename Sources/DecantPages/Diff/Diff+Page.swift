public import DecantBase
internal import DecantPlan
public import DecantProof
internal import DecantStore
internal import DecantSystem

extension Diff {
  /// The default for the number of objects and links of each entity and relationship that a page shows.
  public static let pageLimit = 1_000

  /// Makes a page that shows the differences side by side, with pictures: one HTML file for browsers, phones and paper.
  ///
  /// Nothing in it is executed, and nothing is loaded from elsewhere. The values of both stores are shown regardless of
  /// `showsValues`; for equal stores, the page says that they are equal. It is written object by object: its memory use
  /// does not depend on the size of the stores or of the differences.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of objects and links of each entity and relationship; the page states the number of
  ///     the others.
  ///   - write: Receives the page, piece by piece, on the thread of the run.
  /// - Returns: The operation; its report is that of the comparison.
  public func page(
    limit: Int = Diff.pageLimit,
    to write: @escaping @Sendable (UnsafeRawBufferPointer) throws(DecantError) -> Void
  ) -> DecantOperation<DiffReport> {
    page(limit) { body throws(DecantError) in try body(write) }
  }

  /// Makes the page as a new file, which gets its name when it is complete; see ``page(limit:to:)``.
  ///
  /// - Parameters:
  ///   - file: The path of the file; an error of the family `.usage` if it exists already.
  ///   - limit: The maximum number of objects and links of each entity and relationship.
  /// - Returns: The operation; its report is that of the comparison.
  public func page(at file: String, limit: Int = Diff.pageLimit) -> DecantOperation<DiffReport> {
    page(limit) { body throws(DecantError) in
      try OutputFile.checkIsNew(file)
      _ = try PartialFile.publishing(file) { path throws(DecantError) in
        let descriptor = open(path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw DecantError(SystemError("write", path)) }
        do throws(DecantError) {
          try body { bytes throws(DecantError) in
            try explaining { () throws(SystemError) in try Files.write(bytes, to: descriptor, of: path) }
          }
        } catch {
          close(descriptor)
          throw error
        }
        // Some file systems report a full disk only when the file is closed.
        guard close(descriptor) == 0 else { throw DecantError(SystemError("write", path)) }
        return true
      }
    }
  }

  /// Returns the operation in which `publish` moves the written file to its place.
  private func page(
    _ limit: Int,
    _ publish:
      @escaping @Sendable (_ body: (@escaping ByteTaker) throws(DecantError) -> Void) throws(DecantError) -> Void
  ) -> DecantOperation<DiffReport> {
    DecantOperation("comparison", mapping == nil ? .comparePage : .mappedComparePage) {
      cancellation,
      tell throws(DecantError) in
      try withoutActuallyEscaping(tell) { tell throws(DecantError) in
        var report: DiffReport?
        try publish { write throws(DecantError) in
          let found = try compared(listLimit: limit, cancellation, tell)
          tell(.began(.copy))
          try DiffPage(found, to: PageOutput(write), cancellation, tell).write()
          report = found.report
          report?.schema = found.report.schema.first(differenceLimit)
        }
        guard let report else { throw DecantError(.interrupted, "the comparison was interrupted") }
        return report
      }
    }
  }
}
