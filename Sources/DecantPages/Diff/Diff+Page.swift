public import DecantBase
internal import DecantPlan
public import DecantProof
internal import DecantStore
internal import DecantSystem

extension Diff {
  /// How many objects and links of each entity and relationship a page shows, unless something else is asked for.
  public static let pageLimit = 1_000

  /// A page that shows the differences side by side, with pictures: one HTML file for a browser, for a phone and for paper.
  ///
  /// Nothing in it is executed, and nothing comes from elsewhere. Values of both stores are shown whatever `showsValues`
  /// says; the page of equal stores says that they are. It is written object by object: memory does not grow with the
  /// stores, nor with what differs.
  ///
  /// - Parameters:
  ///   - limit: How many objects and links of each entity and relationship are shown, at most; the page says how many
  ///     more there are.
  ///   - write: Takes the page over, piece by piece, on the thread of the run.
  /// - Returns: The operation; its report is that of the comparison.
  public func page(
    limit: Int = Diff.pageLimit,
    to write: @escaping @Sendable (UnsafeRawBufferPointer) throws(DecantError) -> Void
  ) -> DecantOperation<DiffReport> {
    page(limit) { body throws(DecantError) in try body(write) }
  }

  /// The page as a new file, which gets its name when it is whole; see ``page(limit:to:)``.
  ///
  /// - Parameters:
  ///   - file: Where it is written; an error of the family `.usage` where something is there already.
  ///   - limit: How many objects and links of each entity and relationship are shown, at most.
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
        // Some file systems say only now that there was no room.
        guard close(descriptor) == 0 else { throw DecantError(SystemError("write", path)) }
        return true
      }
    }
  }

  /// The operation that has `publish` give a place to what is written.
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
