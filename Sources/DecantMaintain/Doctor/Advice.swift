internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// The remedies for the problems of one store.
struct Advice {
  private let inspection: Inspection
  private let model: String?
  /// The folder of external files, if the store has any.
  private let externalFolder: String?

  init(_ inspection: Inspection, model: String?, externalFolder: String?) {
    (self.inspection, self.model, self.externalFolder) = (inspection, model, externalFolder)
  }

  /// Returns `problem` with its remedy.
  func finding(_ problem: StoreProblem) -> DoctorReport.Finding {
    let container = inspection.facts.container
    let (advice, command): (DecantError.Text, String?) =
      container == nil
      ? mending(problem) : (container?.isOnServer == true ? onServer(problem) : Advice.ofFile, nil)
    return DoctorReport.Finding(problem: problem, advice, command: command)
  }

  /// The remedy for a file that was exported from a store, which is to export it again.
  private static let ofFile: DecantError.Text =
    "repair the store that this file was exported from, then export it again"

  /// The remedy for a problem of tables on a server.
  private func onServer(_ problem: StoreProblem) -> DecantError.Text {
    switch problem.kind {
    case .danglingLinks:
      "add the missing rows on the server, or clear the columns: a copy "
        + (isPlain ? "keeps the values, which lead nowhere" : "has no such links")
    case .rowsRefused: "change or delete these rows on the server: the error of a copy names their keys"
    case .conditionsBroken: "correct the rows on the server, which does not have these conditions"
    case .lowCounter: "set the sequence to the highest key, with setval on the server, or give the column an identity"
    case .missingFiles: "the bytes were missing when the store was copied: write them into the column"
    default: "correct the rows on the server"
    }
  }

  /// The effect of a copy by decant, and how the copy differs.
  private var copying: DecantError.Text {
    let loss = inspection.facts.syncMetadata.isEmpty ? "" : ", without sync metadata"
    return "a copy does not have this problem; it is a new store with its own identifier\(loss)"
  }

  private func mending(_ problem: StoreProblem) -> (DecantError.Text, String?) {
    switch problem.kind {
    case .damage: ofDamage
    case .danglingLinks where isPlain:
      ("add the missing rows from a backup, or clear the columns; this lists the rows", listing)
    case .danglingLinks, .lowCounter, .metadataRows: (copying, copy)
    case .unknownEntity:
      (
        "read the store with the app's current model (\(say: .model)), or make a copy without these rows, which go to a "
          + "separate file",
        copy
      )
    case .missingFiles:
      ("restore the files from a backup\(externalFolder.map { ", to “\($0)”" } ?? "")", nil)
    case .unreadableValues: ("restore these values from a backup of the store", nil)
    case .strayLinks, .wrongTargetEntity, .missingPositions:
      ("set these links again in the app, or restore a backup: a copy keeps them unchanged", nil)
    case .unreadableModel:
      ("read the store with the app's model: \(say: .model)", nil)
    case .fullCounter:
      ("restore an earlier backup: a copy keeps the counter unchanged", nil)
    case .staleName: ("no data is lost: decant identifies entities by their numbers", nil)
    case .syncMetadata:
      (
        "the app needs it only while it syncs this store or shares it with an extension; otherwise remove it",
        "decant clean \(place) --what \(layers)"
      )
    case .undeclaredLink:
      (
        "copies keep such keys unchanged: check the list, then pass it to copy, merge and diff with \(option: .links)",
        "decant inspect \(place) --suggest-links > links.yaml"
      )
    default: ("restore a backup", nil)
    }
  }

  private var isPlain: Bool { inspection.identity.terms == .rows }
  private var place: String { inspection.identity.place.shellWord }
  private var layers: String { inspection.facts.syncMetadata.map(\.kind).joined(separator: ",") }
  private var listing: String { "sqlite3 -readonly \(place) 'PRAGMA foreign_key_check'" }

  private var ofDamage: (DecantError.Text, String?) {
    let findings = inspection.problems.filter { $0.kind == .damage }.map(\.text)
    guard StructureCheck.isOnlyOfIndexes(findings) else {
      return (
        "restore a backup, or recover what is readable into a new file",
        Rescue.command(inspection.identity.place, into: beside(".recovered"))
      )
    }
    let copy = beside(".mended")
    // SQLite's backup includes the log; a plain copy of the file would lack it.
    let command = ".backup \"\(copy.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    return (
      "its indexes can be rebuilt in a copy, which can replace the store while the app is closed",
      "sqlite3 -readonly \(place) \(command.shellQuoted) && sqlite3 \(copy.shellWord) REINDEX"
    )
  }

  /// One copy command for all findings, since a second copy to the same place would be refused.
  private var copy: String {
    let model = model.map { " --model \($0.shellWord)" } ?? ""
    let hasUnknown = inspection.problems.contains { $0.kind == .unknownEntity }
    let rejects = hasUnknown ? " --on-error reject --rejects \(beside(".rejected", "decant").shellWord)" : ""
    return "decant copy \(place) \(beside(".mended").shellWord)\(model)\(rejects)"
  }

  /// Returns a name next to the store: its own name with `mark` before the extension.
  private func beside(_ mark: String, _ ending: String? = nil) -> String {
    let place = inspection.identity.place
    let name = place.lastIndex(of: "/").map { place[place.index(after: $0)...] } ?? place[...]
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return place + mark + (ending.map { "." + $0 } ?? "")
    }
    return place[..<dot] + mark + "." + (ending ?? String(name[name.index(after: dot)...]))
  }
}
