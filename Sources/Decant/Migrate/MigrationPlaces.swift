/// Which store is migrated, and where it is afterwards.
struct MigrationPlaces {
  let migration: Migration

  init(_ migration: Migration) { self.migration = migration }

  /// Chooses the store and has `run` migrate it.
  func choose(_ run: MigrationRun) throws(DecantError) -> MigrationReport {
    guard let first = migration.candidates.first else {
      throw DecantError(.usage, "no store to migrate was named", remedy: "name one")
    }
    guard let place = migration.place else {
      guard migration.candidates.count == 1 else {
        throw DecantError(
          .usage,
          "several stores were named, of which the first that exists would be migrated",
          place: migration.candidates.map { "“\($0.place)”" }.joined(separator: ", "),
          remedy: "say where it is to be afterwards: --place NEW; or migrate them one by one"
        )
      }
      guard let output = migration.output else { return try run.migrateInPlace(first) }
      return try run.migrate(first, to: output, as: .written, succeeds: false)
    }
    return try move(to: place, run)
  }

  /// Has the store at `place` from now on.
  private func move(to place: String, _ run: MigrationRun) throws(DecantError) -> MigrationReport {
    let folder = Files.folder(of: place)
    let isReachable = FileStatus(folder)?.isFolder == true && Files.isWritable(folder)
    if isReachable, FileStatus(place) != nil {
      // What is usable there already is the store, whatever else lies about.
      var report = try run.migrateInPlace(StoreLocation(place: place))
      let others = existing(besides: place)
      if let other = others.first {
        report.notes.append(
          "“\(other.place)” is there as well, and was not looked at"
            + (migration.removesOld
              ? ": if a run was cut off before it was removed, see that nothing was added to it since, and remove it"
              : "")
        )
      }
      return report
    }
    if let old = existing(besides: place).first {
      guard isReachable else {
        var report = try run.migrateInPlace(old)
        report.fellBack = true
        report.notes.append(
          "“\(folder)” cannot be reached or written: the store stays at “\(old.place)”"
        )
        return report
      }
      var report = try run.migrate(old, to: place, as: .moved, succeeds: true)
      if migration.removesOld {
        if migration.isDryRun {
          report.removed = [old.place]
        } else {
          do throws(DecantError) {
            try OldStore(old, migration).remove(after: place, run, &report)
          } catch {
            var error = error
            error.tell("the store is at “\(place)” already; only the old one was not removed")
            throw error
          }
        }
      }
      return report
    }
    guard isReachable else {
      throw DecantError(
        .storeNotFound,
        "there is no folder “\(folder)” that can be written, and no store elsewhere",
        place: "--place \(place)",
        remedy: "make the folder, or mount the disk it lies on"
      )
    }
    guard let seed = migration.seed else {
      throw DecantError(
        .storeNotFound,
        "none of the stores exists: \(migration.candidates.map { "“\($0.place)”" }.joined(separator: ", "))",
        remedy: "check the spelling, or name a store to begin with: --else SEED"
      )
    }
    return try run.migrate(seed, to: place, as: .seeded, succeeds: false)
  }

  /// The candidates that are there, other than the place itself.
  private func existing(besides place: String) -> [StoreLocation] {
    migration.candidates.filter {
      FileStatus($0.place)?.isFile == true && !Files.isSamePlace($0.place, place)
    }
  }
}
