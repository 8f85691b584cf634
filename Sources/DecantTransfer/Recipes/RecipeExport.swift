internal import DecantRecipeFormats
internal import DecantRecipes
internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantStore
internal import DecantSystem

/// An export of recipes to a file or folder in another app's format.
struct RecipeExport {
  private let export: Export
  private let place: RecipePlace
  private let cancellation: Cancellation
  private let onEvent: (WorkEvent) -> Void

  init(_ export: Export, to place: RecipePlace, cancellation: Cancellation, _ onEvent: @escaping (WorkEvent) -> Void) {
    self.export = export
    self.place = place
    self.cancellation = cancellation
    self.onEvent = onEvent
  }

  /// Copies the selected recipes into a separate database, reports what the format has no place for, writes them, and
  /// reads them back.
  func run() throws(DecantError) -> CopyReport {
    try checkRequest()
    let folder = try ScratchFolder()
    let chosen = "\(folder.path)/chosen.sqlite"
    let choice = try RecipeChoice(
      of: export.source,
      as: export.original?.identity.place,
      export.options,
      in: folder.path,
      kinds: export.kinds
    )
    var report = try choice.take(into: chosen, for: place.path, cancellation) { event in
      // Its notes are in its report, and are passed on with those about the recipes.
      if case .note = event { return }
      onEvent(event)
    }
    report.verb = "export"
    if let original = export.original {
      report.source = original.identity
      report.sourceFingerprint = original.fingerprint
    }
    report.destination = StoreIdentity(kind: place.format, place: place.path)
    report.isVerified = false
    report.isDryRun = export.options.isDryRun
    try check(count: report["Recipe"]?.copied ?? 0)
    let store = try StoredRecipes(chosen, of: report.source.place, keepsDurations: place.writer.hasDurations)
    let proof = export.options.verifies && !report.isDryRun ? try RecipeExportProof() : nil
    let (losses, counts) = try losses(store, proof)
    report.notes += losses
    counts.leave(out: &report)
    for note in report.notes { onEvent(.note(note)) }
    if report.isDryRun { return report }
    try write(store, report["Recipe"]?.copied ?? 0, proof)
    report.isVerified = proof != nil
    report.peakMemoryByteCount = Memory.peakByteCount
    return report
  }

  // MARK: Selection

  private func checkRequest() throws(DecantError) {
    try place.check()
    if place.form == .folder { try export.options.checkCanMeasure("a folder") }
    let options: [(DecantError.Option, Bool)] = [
      (.maxPart, export.partByteCount != nil), (.level, export.level != nil),
    ]
    for (name, isSaid) in options where isSaid {
      throw DecantError(
        .unsuitableOption,
        "\(option: name) is for archives, but “\(place.path)” is a recipe file",
        remedy: "remove \(option: name)"
      )
    }
  }

  private func check(count: Int64) throws(DecantError) {
    guard place.form != .single || count == 1 else {
      throw DecantError(
        .unsuitableOption,
        "“\(place.path)” holds one recipe, but \(count.counted("recipe")) "
          + "\(count == 1 ? "is" : "are") selected",
        remedy: "select one with \(say: .where), or use a library: \(place.path)s"
      )
    }
  }

  // MARK: Losses

  /// Returns the parts of the recipes that have no place in the format, with the numbers of recipes that have them.
  private func losses(_ store: StoredRecipes, _ proof: RecipeExportProof?) throws(DecantError)
    -> (notes: [ReportNote], RecipeLossCounts)
  {
    var losses = RecipeLossNotes()
    var counts = RecipeLossCounts()
    let type = place.writer
    let reader = try WrittenRecipes()
    try explained {
      try store.forEach { entry in
        let written: WrittenRecipe
        do {
          written = try type.written(entry, reader)
        } catch let fault as RecipeFault {
          throw DecantError(
            .unsupportedContent,
            "“\(entry.recipe.title.shownTitle)” cannot be written for \(place.title): \(fault.message)",
            remedy: "change it, or exclude it with \(say: .where); nothing was written"
          )
        }
        losses.add(entry.losses(written), unread: entry.unread, of: entry.recipe.title)
        counts.add(written, of: entry)
        try proof?.expect(written.recipe)
      }
    }
    return (losses.notes(place.title), counts)
  }

  /// Writes a file or folder beside the place, reads it back, and gives it its name when it is complete.
  private func write(_ store: StoredRecipes, _ count: Int64, _ proof: RecipeExportProof?) throws(DecantError) {
    let partial = place.path + ".decant-partial"
    do throws(DecantError) {
      onEvent(.began(.copy))
      try Files.removing(partial)
      try explained {
        let writer = try place.writer.init(partial, place.form)
        let (type, reader) = (place.writer, try WrittenRecipes())
        var done: Int64 = 0
        store.onPicture = { digest in try proof?.expect(picture: digest, ofRecipe: done) }
        try store.forEach { entry in
          guard !cancellation.isCancelled else {
            throw DecantError(.interrupted, "the export was interrupted", remedy: "nothing was written")
          }
          try writer.write(try type.settled(entry, reader), of: store)
          done += 1
          if done % 100 == 0 {
            onEvent(
              .progress(
                WorkProgress(phase: .copy, step: "Recipe", rowCount: done, expectedRowCount: count, byteCount: 0)
              )
            )
          }
        }
        try writer.finish()
      }
      if let proof {
        onEvent(.began(.check))
        try proof.prove(partial, only: place.format, cancellation: cancellation)
      }
      if export.options.hasByteLimit {
        try export.options.check(byteCount: FileStatus(partial)?.byteCount ?? 0)
      }
      onEvent(.began(.publish))
      try explained { try Files.publish(partial, at: place.path) }
    } catch {
      var told = error
      do throws(DecantError) { try Files.removing(partial) } catch {
        told.tell("the partial file remains: \(partial)")
      }
      throw told
    }
  }

  /// Runs `body`; errors that it throws become errors that name the place.
  private func explained(_ body: () throws -> Void) throws(DecantError) {
    do {
      try body()
    } catch let error as DecantError {
      throw error
    } catch let error as SystemError {
      throw DecantError(error)
    } catch {
      throw DecantError(.systemFailed, "cannot write “\(place.path)”: \(error)")
    }
  }
}

extension Files {
  /// Removes a file, or a folder with everything in it, if there is one.
  fileprivate static func removing(_ path: String) throws(DecantError) {
    guard let status = FileStatus(unfollowed: path) else { return }
    do throws(SystemError) {
      if status.isFolder { try removeTree(path) } else { try remove(path) }
    } catch {
      throw DecantError(error)
    }
  }
}
