internal import DecantBase
internal import DecantCopy
internal import DecantPlan
internal import DecantStore
internal import DecantVersions
internal import DecantSQLite

/// The test of mapping files without objects, before they are applied to all objects.
extension MigrationRun {
  /// Throws an error in any mapping file, including the last step's, before the first step begins.
  ///
  /// Each copy is made without objects, in the folder for temporary files, because names and expressions can be checked
  /// only against the tables that the previous copy creates.
  func rehearse(_ location: StoreLocation, _ stages: [StagePlan], _ check: CheckReport) throws(DecantError) {
    // The first copy finds its own errors as soon as it begins.
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
        // The real run will find and report any other error.
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
