import Decant
import Foundation
import TestSupport
import Testing

/// The Python programs that find out without decant what `--root` should take.
enum ClosureOracle {
  /// What is asked for: roots and rules, in Python's words and in decant's.
  struct Plan {
    let text: String
    var roots: [CopyOptions.Filter] = []
    var rules: [CopyOptions.Rule] = []

    /// Reads what a Python program printed; `condition` makes SQL of the second member of a root.
    init(_ text: String, _ condition: (Any) -> String) throws {
      self.text = text
      let all = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      for case let root as [Any] in try #require(all?["roots"] as? [Any]) {
        let entity = try #require(root.first as? String)
        roots.append(CopyOptions.Filter(entity: entity, expression: condition(root[1])))
      }
      for (name, value) in try #require(all?["rules"] as? [String: Any]) {
        let bounds = value as? [String: Any]
        let word = try #require((bounds?["rule"] ?? value) as? String)
        rules.append(
          CopyOptions.Rule(
            name,
            try #require(ClosureRule(rawValue: word)),
            where: bounds?["where"] as? String,
            depth: bounds?["depth"] as? Int
          )
        )
      }
    }

    /// Enters what is asked for into the options of a copy.
    func enter(into options: inout CopyOptions) {
      options.roots = roots
      options.rules = rules
    }
  }

  /// Makes a random database at `path`; returns what to ask of it.
  static func makePlain(_ seed: Int, at path: String, isBounded: Bool = false) throws -> Plan {
    let arguments = ["make", "\(seed)", path] + (isBounded ? ["--bounds"] : [])
    return try Plan(run("closure.py", arguments).output) { $0 as? String ?? "" }
  }

  /// Returns something to ask of the Core Data store at `path`, whose model is `model` in JSON.
  static func plan(_ seed: Int, of path: String, _ model: String) throws -> Plan {
    try Plan(run("closure_coredata.py", ["plan", "\(seed)", path, model]).output) { keys in
      let keys = (keys as? [Int64] ?? []).map { "\($0)" }
      return "_id IN (\(keys.joined(separator: ", ")))"
    }
  }

  /// In what `copy` differs from what it should hold; `levels` is what a dry run told.
  static func differences(
    of copy: String,
    from source: String,
    _ plan: Plan,
    _ closure: CopyReport.Closure
  ) throws -> String {
    let levels = Dictionary(grouping: closure.levels, by: \.distance).map { distance, levels in
      [
        "distance": distance,
        "entities": Dictionary(uniqueKeysWithValues: levels.map { ($0.entity, ["objects": $0.objectCount]) }),
      ] as [String: Any]
    }
    let report = try JSONSerialization.data(withJSONObject: ["levels": levels])
    let text = String(decoding: report, as: UTF8.self)
    return try lines(run("closure.py", ["check", source, copy, plan.text, text]))
  }

  /// In what `copy` differs from what it should hold of a Core Data store.
  static func differences(of copy: String, from source: String, _ plan: Plan, model: String) throws -> String {
    try lines(run("closure_coredata.py", ["check", source, copy, model, plan.text]))
  }

  private static func lines(_ run: Program) throws -> String {
    guard run.errors.isEmpty else {
      throw Program.Failure(program: "python3", errors: run.errors)
    }
    return run.status == 0 ? "" : run.output
  }

  private static func run(_ script: String, _ arguments: [String]) throws -> Program {
    let path = Fixtures.projectFolder.appendingPathComponent("Tests/Databases/\(script)").path
    let run = try Program.run(["python3", path] + arguments)
    guard run.status == 0 || arguments.first == "check" else {
      throw Program.Failure(program: script, errors: run.errors)
    }
    return run
  }
}
