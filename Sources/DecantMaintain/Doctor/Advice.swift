internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// What mends the problems of one store.
struct Advice {
  private let inspection: Inspection
  private let model: String?
  /// Where external files lie, if the store has any.
  private let externalFolder: String?

  init(_ inspection: Inspection, model: String?, externalFolder: String?) {
    (self.inspection, self.model, self.externalFolder) = (inspection, model, externalFolder)
  }

  /// Returns `problem` with what mends it.
  func finding(_ problem: StoreProblem) -> DoctorReport.Finding {
    let (advice, command) = inspection.facts.container == nil ? mending(problem) : (Advice.ofFile, nil)
    return DoctorReport.Finding(problem: problem, advice: advice, command: command)
  }

  /// Nothing mends a file that was made of a store but making it anew.
  private static let ofFile = "mend the store that this file was made of, and export it again"

  /// What a copy by decant is good for, and how it differs.
  private var copying: String {
    "a copy does not have this problem; it is a new store with its own identifier"
      + (inspection.facts.syncMetadata.isEmpty ? "" : ", without sync metadata")
  }

  private func mending(_ problem: StoreProblem) -> (String, String?) {
    switch problem.kind {
    case .damage: ofDamage
    case .danglingLinks where isPlain:
      ("add the missing rows from a backup, or clear the columns; this lists the rows", listing)
    case .danglingLinks, .lowCounter, .metadataRows: (copying, copy)
    case .unknownEntity:
      (
        "read the store with the app's current model (--model), or make a copy without these rows, which go into a separate "
          + "file",
        copy
      )
    case .missingFiles:
      ("put the files back from a backup" + (externalFolder.map { ", into “\($0)”" } ?? ""), nil)
    case .unreadableValues: ("take these values from a backup of the store", nil)
    case .strayLinks, .wrongTargetEntity, .missingPositions:
      ("let the app set these links anew, or go back to a backup: a copy keeps them as they are", nil)
    case .unreadableModel:
      ("the store can be read with the app's model, by --model", nil)
    case .fullCounter:
      ("go back to a backup from before: a copy keeps the counter as it is", nil)
    case .staleName: ("nothing is lost: decant reads entities by their numbers", nil)
    case .syncMetadata:
      (
        "the app needs it only while it syncs this store or shares it with an extension; else remove it",
        "decant clean \(place) --what \(layers)"
      )
    case .undeclaredLink:
      (
        "copies keep such keys as they are: check the list, and give it to copy, merge and diff as --links",
        "decant inspect \(place) --suggest-links > links.yaml"
      )
    default: ("go back to a backup", nil)
    }
  }

  private var isPlain: Bool { inspection.identity.terms == .rows }
  private var place: String { inspection.identity.place.shellWord }
  private var layers: String { inspection.facts.syncMetadata.map(\.kind).joined(separator: ",") }
  private var listing: String { "sqlite3 -readonly \(place) 'PRAGMA foreign_key_check'" }

  private var ofDamage: (String, String?) {
    let findings = inspection.problems.filter { $0.kind == .damage }.map(\.text)
    guard StructureCheck.isOnlyOfIndexes(findings) else {
      return (
        "go back to a backup, or save what can be saved into a new file",
        Rescue.command(inspection.identity.place, into: beside(".recovered"))
      )
    }
    let copy = beside(".mended")
    // SQLite copies what is in the log as well; a file that is copied by itself would lack it.
    let command = ".backup \"\(copy.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    return (
      "its indexes can be built anew, in a copy that can take the place of the store while the app is closed",
      "sqlite3 -readonly \(place) \(command.shellQuoted) && sqlite3 \(copy.shellWord) REINDEX"
    )
  }

  /// One copy for all findings: a second one to the same place would be refused.
  private var copy: String {
    let model = model.map { " --model \($0.shellWord)" } ?? ""
    let hasUnknown = inspection.problems.contains { $0.kind == .unknownEntity }
    let rejects = hasUnknown ? " --on-error reject --rejects \(beside(".rejected", "decant").shellWord)" : ""
    return "decant copy \(place) \(beside(".mended").shellWord)\(model)\(rejects)"
  }

  /// A name beside the store: its own with `mark` in front of the extension.
  private func beside(_ mark: String, _ ending: String? = nil) -> String {
    let place = inspection.identity.place
    let name = place.lastIndex(of: "/").map { place[place.index(after: $0)...] } ?? place[...]
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
      return place + mark + (ending.map { "." + $0 } ?? "")
    }
    return place[..<dot] + mark + "." + (ending ?? String(name[name.index(after: dot)...]))
  }
}
