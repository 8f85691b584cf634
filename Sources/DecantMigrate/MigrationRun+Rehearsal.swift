internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantStore
internal import DecantVersions
internal import DecantSQLite

/// Mapping files are carried out on no objects before they are on all.
extension MigrationRun {
  /// Throws what is wrong with a mapping file, be it for the last step: before the first is begun, or nothing is.
  ///
  /// Each copy is made without objects, in the folder for temporary files, as names and expressions are settled against
  /// the tables that the one before makes.
  func rehearse(_ location: StoreLocation, _ stages: [StagePlan], _ check: CheckReport) throws(DecantError) {
    // The first copy finds its own mistakes as soon as it begins.
    guard let last = stages.lastIndex(where: \.isTold), last > 0 || migration.isDryRun else {
      return
    }
    let folder = try ScratchFolder()
    defer { withExtendedLifetime(folder) {} }
    for (index, stage) in stages[...last].enumerated() {
      var options = self.options(stage, index == 0 ? check.modelPlace : stage.source.place)
      options.template = stage.pattern(isLast: index == stages.count - 1, of: migration)
      options.isUnversioned = stage.isUnversioned
      (options.takesNoObjects, options.takesNoRows, options.verifies) = (true, true, false)
      let place = { (index: Int) in "\(folder.path)/\(index).sqlite" }
      let source = index == 0 ? location.place : place(index - 1)
      do throws(DecantError) {
        _ = try Copy(
          from: StoreLocation(kind: check.store.kind, place: source),
          to: StoreLocation(kind: check.store.kind, place: place(index)),
          options: options,
          opener: migration.opener
        ).run(cancellation: cancellation)
      } catch {
        // Whatever else it is, the run meets it as well, and tells it as its own.
        guard stage.isTold, error.family == .usage else { return }
        var error = error
        if index > 0 {
          error.what = error.what.replacing("“\(source)”", with: "“\(stage.source.name)”")
        }
        throw error
      }
    }
  }
}
