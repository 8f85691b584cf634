internal import ArgumentParser
internal import Decant
internal import DecantStores
internal import JSON

/// `decant verify`: proves a copy, read afresh.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Proves that a store holds everything another one holds.",
    discussion: """
      Reads both stores, changes neither, and compares every object of SOURCE with
      the one it became in DESTINATION: values, links, order, keys. The destination
      may hold more. Objects are matched by key, or by the ID table that copy
      --keep-ids wrote.

      Exit code 0: equal. 4: they differ, and what differs is named.
      """
  )

  @Argument(help: "The store that was copied.")
  var source: String

  @Argument(help: "The store it was copied into.")
  var destination: String

  @Option(help: ArgumentHelp("The ID table that copy --keep-ids wrote.", valueName: "file"))
  var ids: String?

  @Option(
    help: ArgumentHelp(
      "The model to read stores with that do not hold their own.",
      valueName: "model"
    )
  )
  var model: String?

  @Flag(help: "Print the result as one JSON document.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print errors only; the exit code tells.")
  var quiet = false

  func run() throws {
    var verify = Verify(source, against: destination)
    verify.idTableFile = ids
    verify.model = model
    let report = try reporting { () throws(DecantError) in
      try verify.run(cancellation: Interrupt.listen())
    }
    if json {
      try StandardOutput.write(report.json.indentedText)
    } else if !quiet {
      try StandardOutput.write(report.text)
    }
    if !report.isEqual { throw ExitCode.differ }
  }
}

extension VerifyReport {
  /// The result as a person reads it.
  fileprivate var text: String {
    let count = entities.reduce(0) { $0 + $1.expected }
    let all = entities.reduce(0) { $0 + $1.source }
    var lines: [String] = []
    if isEqual {
      lines.append(
        "equal: all \(count.grouped) objects of \(source.place) are in \(destination.place)"
      )
      let left = all - count - rejectedCount
      if rejectedCount > 0 { lines.append("rejected by the copy: \(rejectedCount.grouped)") }
      if left > 0 { lines.append("not copied, so not compared: \(left.grouped)") }
    } else {
      lines.append("\(source.place) and \(destination.place) differ")
      lines += differences.map { "  \($0)" }
      if isCutOff { lines.append("  … and more") }
      if !isMatchedByTable {
        lines.append(
          "objects were matched by key: if the copy renumbered them, give its ID table with --ids"
        )
      }
    }
    return (lines + notes.map { "note: \($0)" }).joined(separator: "\n")
  }

  /// The result as scripts read it.
  fileprivate var json: JSONValue {
    .object([
      ("decant", .string("1.0")), ("verb", .string("verify")), ("source", source.json([])),
      ("destination", destination.json([])),
      ("matchedBy", .string(isMatchedByTable ? "ids" : "key")),
      (
        "entities",
        .object(
          entities.map { entity in
            (
              entity.name,
              .object([
                ("source", .integer(entity.source)), ("expected", .integer(entity.expected)),
              ])
            )
          }
        )
      ),
      ("rejected", .integer(rejectedCount)), ("equal", .bool(isEqual)),
      ("differences", .array(differences.map(\.json))), ("truncated", .bool(isCutOff)),
      ("notes", .array(notes.map { .string($0) })),
    ])
  }
}

extension Difference {
  fileprivate var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("entity", .string(entity)), ("ids", .array(keys.map { .integer($0) })),
    ]
    switch kind {
    case .missing: members.append(("kind", .string("missing")))
    case .added: members.append(("kind", .string("added")))
    case .changed(let properties):
      members.append(("kind", .string("changed")))
      members.append(("properties", .array(properties.map { .string($0) })))
    }
    return .object(members)
  }
}
