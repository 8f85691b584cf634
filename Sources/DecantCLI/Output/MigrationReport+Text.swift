internal import DecantBase
internal import DecantMigrate
internal import DecantStore
internal import DecantVersions

extension MigrationReport {
  /// The report for people: the outcome, and the place of the old store.
  var text: String {
    var lines = ["\(origin ?? store.place)\(origin == nil ? "" : " → \(store.place)")", ""]
    if let settled { lines += [settled, ""] }
    lines += stages.flatMap(\.lines)
    if !stages.isEmpty { lines.append("") }
    if let copy = copies.last { lines += copy.countLines + [""] }
    if !losses.isEmpty {
      lines += ["not migrated"] + losses.map { "  \($0.subject): \($0.text)" } + [""]
    }
    lines.append(verdict)
    lines += removed.map { isDryRun ? "would be removed: \($0)" : "removed: \($0)" }
    lines += (notes + copies.flatMap(\.notes)).commandLine.map { "note: \($0)" }
    if let backup {
      lines.append("the previous store: \(backup)")
      lines.append("  to restore it, close the app and run: decant rollback \(store.place.shellWord)")
    }
    return lines.map(\.printable).joined(separator: "\n")
  }

  private var verdict: String {
    let version = "version “\(check.target)”"
    if isDryRun {
      return switch outcome {
      case .none: "nothing to do: it already has \(version)"
      case .migrated: "would be migrated to \(version); nothing was written"
      case .written: "\(version) would be created from it; nothing was written"
      case .moved: "would be moved, as \(version); nothing was written"
      case .seeded: "it does not exist yet: the seed would be copied; nothing was written"
      }
    }
    if copies.isEmpty { return "nothing to do: it already has \(version)" }
    let done =
      switch outcome {
      case .none, .migrated: "now at \(version)"
      case .written: "written as \(version)"
      case .moved: "moved, now at \(version)"
      case .seeded: "copied from the seed, now at \(version)"
      }
    let proof =
      isVerified ? "everything was read back and is equal" : "not verified: --no-verify"
    let tenths = Int64((seconds * 100).rounded())
    let fraction = tenths % 100 < 10 ? "0\(tenths % 100)" : "\(tenths % 100)"
    return
      "\(done); \(proof) · \(tenths / 100).\(fraction) s · \(peakMemoryByteCount.asByteCount) of memory"
  }
}

extension ModelMigrationStage {
  /// A line with the versions of the stage and its origin.
  fileprivate var lines: [String] {
    let names = versions.map { "“\($0)”" }.joined(separator: " → ")
    return
      switch origin
    {
    case .inferred: ["\(names): from the models"]
    case .mappingFile(let path):
      [
        "\(names): by \(path)"
          + besides.map { ", and the mapping model \($0)" }.joined()
      ]
    case .mappingModel(let path): ["\(names): by the mapping model \(path)"]
    }
  }
}
