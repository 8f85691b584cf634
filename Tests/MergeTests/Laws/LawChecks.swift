import Foundation
import TestSupport

/// Each law as a check: what it finds wrong, a line each.
extension LawScene {
  func violations(of law: Law) throws -> [String] {
    switch law {
    case .outcome: try outcome()
    case .soundness: try soundness()
    case .prediction: try prediction()
    case .repetition: try repetition()
    case .renumbering: try renumbering()
    case .batches: try batches()
    case .pairs: try pairs()
    case .damage: try damage()
    case .editedCopy: try editedCopy()
    case .kill: try kill()
    }
  }

  private func outcome() throws -> [String] {
    let run = try story().run
    guard run.status == test.status else {
      return ["exit code \(run.status) instead of \(test.status): \(run.errors.prefix(300))"]
    }
    var found = test.says.filter { !run.errors.contains($0) }.map {
      "it does not say “\($0)”: \(run.errors)"
    }
    if test.destination == nil, run.status != 0, run.status != 3, try !story().after.isEmpty {
      found.append("it fails, and something is there")
    }
    for (fact, rows) in zip(test.facts, try outcomeFacts()) where rows != fact.rows {
      found.append("\(fact.query): \(rows) instead of \(fact.rows)")
    }
    guard !test.counts.isEmpty else { return found }
    let report = try LawReport(run)
    for (entity, counts) in test.counts.sorted(by: { $0.key < $1.key }) {
      for (what, count) in counts.sorted(by: { $0.key < $1.key }) {
        let told = report.count(what, of: entity)
        if told != count {
          found.append("\(entity): \(what) \(told.map(String.init) ?? "none") instead of \(count)")
        }
      }
    }
    return found
  }

  private func soundness() throws -> [String] {
    _ = try story()
    // A loose link of the source stays one where nothing else is asked for.
    guard try complaints(Self.source).isEmpty else { return [] }
    return try complaints(Self.made).subtracting(complaints(Self.untouched)).sorted()
  }

  private func prediction() throws -> [String] {
    let story = try story()
    guard story.afterDryRun == story.before else { return ["a dry run changed the destination"] }
    guard test.verb != ["diff"] else { return [] }
    let (dry, run) = (story.dryRun, story.run)
    // What the destination itself refuses is known only when it is written.
    guard dry.status == run.status || dry.status == 0 && run.status == 3 else {
      return ["the dry run ends with \(dry.status), the run with \(run.status)"]
    }
    guard run.status == test.status, [0, 3].contains(dry.status) else {
      return []
    }
    let (before, after) = (try LawReport(dry), try LawReport(run))
    guard before.links == after.links else {
      return [
        "links: \(String(describing: before.links)) foretold, \(String(describing: after.links)) found"
      ]
    }
    guard before.removed == after.removed else {
      return ["removed: \(before.removed) foretold, \(after.removed) found"]
    }
    let (foretold, found) = (before.entities, after.entities)
    return Set(foretold.keys).union(found.keys).sorted().compactMap { entity in
      foretold[entity] == found[entity]
        ? nil
        : "\(entity): \(String(describing: foretold[entity])) foretold, \(String(describing: found[entity])) found"
    }
  }

  private func repetition() throws -> [String] {
    let before = try story().after
    let again = try run(["--json"])
    guard again.status == test.status else { return ["the second run ends with \(again.status)"] }
    guard try dump() == before else { return ["the second run changes the destination"] }
    let report = try LawReport(again)
    guard report.links?.copied ?? 0 == 0 else { return ["the second run counts \(report.links?.copied ?? 0) links"] }
    return report.entities.sorted { $0.key < $1.key }.compactMap { entity, counts in
      counts.copied == 0 && counts.updated == 0 ? nil : "\(entity): the second run counts \(counts)"
    }
  }

  private func renumbering() throws -> [String] {
    let first = try story().run
    try copy(Self.source, as: "other.db")
    try copy(Self.untouched, as: "there.db")
    _ = try python("renumber.py", ["other.db"] + test.links)
    let second = try run(from: "other.db", to: "there.db")
    guard first.status == second.status else {
      return ["exit code \(first.status), of the renumbered source \(second.status)"]
    }
    let (expected, found) = (try outcomeFacts(), try facts(of: "there.db"))
    return zip(test.facts, zip(expected, found)).compactMap { fact, rows in
      rows.0 == rows.1 ? nil : "\(fact.query): \(rows.0), of the renumbered source \(rows.1)"
    }
  }

  private func batches() throws -> [String] {
    let whole = try story().run
    guard whole.status == test.status else { return ["in one run: \(whole.errors)"] }
    let expected = try outcomeFacts()
    // A new store is made row by row where a copy could be resumed.
    let options = test.destination == nil ? ["--resume"] : ["--commit", "batch", "--backup"]
    var found: [String] = []
    for size in Effort.isThorough ? [1, 3, 10_000] : [isEven("batch") ? 1 : 3, 10_000] {
      try copy(Self.untouched, as: "batched.db")
      let run = try run(options + ["--batch-size", "\(size)"], to: "batched.db")
      if run.status != test.status {
        found.append("batches of \(size): \(run.errors)")
      } else if try facts(of: "batched.db") != expected {
        found.append("batches of \(size): \(try facts(of: "batched.db")) instead of \(expected)")
      }
    }
    return found
  }

  /// The options that decide which objects are one, as `diff` takes them.
  private var pairing: [String] {
    let taken: Set = ["--link", "--identity", "--model"]
    return zip(test.options, test.options.dropFirst()).flatMap {
      taken.contains($0.0) ? [$0.0, $0.1] : []
    } + test.options.filter { ["--same-lineage", "--no-lineage"].contains($0) }
  }

  private func pairs() throws -> [String] {
    let dry = try story().dryRun
    guard [0, 3].contains(dry.status) else { return ["merge: \(dry.errors)"] }
    let merge = try LawReport(dry)
    let diff = try decant(["diff", Self.source, Self.untouched, "--json"] + pairing)
    guard diff.status == 0 || diff.status == 4 else { return ["diff: \(diff.errors)"] }
    let compared = try LawReport(diff)
    return merge.entities.sorted { $0.key < $1.key }.compactMap { entity, counts in
      guard let other = compared.entities[entity], let merged = counts.merge else { return nil }
      // What a part belongs to is no matter of what is one object.
      let alone = (merged["new"] ?? 0) + (merged["notAdded"] ?? 0)
      let here = [alone, merged["same"] ?? 0, merged["changed"] ?? 0]
      let there = [other.onlyA, other.same, other.changed].map { $0 ?? 0 }
      return here == there
        ? nil
        : "\(entity): new, same and changed are \(here) for merge, \(there) for diff"
    }
  }

  private func damage() throws -> [String] {
    // A copy of all is proven by its ID table; a value that was changed must be found.
    let copied = try decant(["copy", Self.source, "copy.db", "--keep-ids", "ids.db"])
    guard copied.status == 0 else { return ["copy: \(copied.errors)"] }
    let sound = try decant(["verify", Self.source, "copy.db", "--ids", "ids.db"])
    guard sound.status == 0 else {
      return ["verify of a sound copy: \(sound.errors)\(sound.output)"]
    }
    var found: [String] = []
    var planted = 0
    for (_, name, what) in try edited("copy.db", ["value", "link", "removal"]) {
      planted += 1
      let run = try decant(["verify", Self.source, name, "--ids", "ids.db"])
      if run.status != 4 { found.append("verify ends with \(run.status) after: \(what)") }
    }
    return planted == 0 ? ["there is nothing to damage"] : found
  }

  /// The edits that somebody makes in a copy that is merged back.
  static let edits = ["value", "link", "part", "removal", "two"]

  /// Makes copies of a database, each with an edit of its kind.
  ///
  /// - Returns: Of each kind of which there is something to edit, the kind, the copy, and what was done.
  private func edited(_ name: String, _ kinds: [String], _ links: [String] = []) throws -> [(String, String, String)] {
    let names = kinds.map { "edited-\($0).db" }
    for copy in names { try self.copy(name, as: copy) }
    let list = { (words: [String]) in words.joined(separator: ",") }
    let lines = try python("edit.py", [list(names), list(kinds), "1"] + links)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return zip(kinds, zip(names, lines)).map { ($0, $1.0, $1.1) }.filter { !$0.2.isEmpty }
  }

  /// Divides the cases in two halves, which change places with every word.
  private func isEven(_ word: String) -> Bool {
    (test.name + word).utf8.reduce(0) { $0 + Int($1) }.isMultiple(of: 2)
  }

  private func editedCopy() throws -> [String] {
    guard !test.options.contains("keep-both") else { return [] }
    let before = try rowCounts(Self.untouched)
    let dump = try story().before
    var found: [String] = []
    for (edit, name, what) in try edited(Self.untouched, Self.edits, test.links) {
      let policies = Effort.isThorough ? ["skip", "update"] : [isEven(edit) ? "skip" : "update"]
      for policy in policies {
        try copy(Self.untouched, as: "kept.db")
        let run = try decant(["merge", name, "kept.db", "--merge", policy] + pairing)
        guard run.status == 0 else {
          found.append("\(policy) after \(what): \(run.errors)")
          continue
        }
        // What is as it was has as many rows.
        if policy == "skip", try self.dump("kept.db") == dump { continue }
        let after = try rowCounts("kept.db")
        found.append(
          contentsOf: after != before
            ? ["\(policy) after \(what): \(before) became \(after)"]
            : policy == "skip" ? ["skip changes the destination after \(what)"] : []
        )
      }
    }
    return found
  }

  private func kill() throws -> [String] {
    let story = try story()
    guard story.run.status == 0 else { return ["in one run: \(story.run.errors)"] }
    let expected = try outcomeFacts()
    return try killed([], expected, [story.before, story.after])
      + killed(["--commit", "batch", "--batch-size", "1", "--backup"], expected, nil)
  }

  /// Kills the command before synchronizations of the disk, and starts it again.
  ///
  /// Before three of them by default, other ones for every case; with `DECANT_SLOW=1` before each.
  ///
  /// - Parameters:
  ///   - options: Further options of the command.
  ///   - expected: What the facts are in the end.
  ///   - states: What the destination may hold in between; anything for `nil`.
  /// - Returns: What is wrong, a line each.
  /// - Throws: What keeps a program from running.
  private func killed(_ options: [String], _ expected: [[String]], _ states: Set<String>?) throws -> [String] {
    let arguments =
      [DecantProgram.path] + test.verb + [Self.source, Self.destination] + test.options + options
    let place = folder.url.appendingPathComponent("killed")
    func run(_ number: Int) throws -> Program {
      try? FileManager.default.removeItem(at: place)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let files = [(Self.source, Self.source), (Self.untouched, Self.destination)]
      let others = ["base.db", "map.yaml"].filter {
        FileManager.default.fileExists(atPath: folder.path($0))
      }
      for (from, to) in files + others.map({ ($0, $0) }) {
        try FileManager.default.copyItem(
          at: folder.url.appendingPathComponent(from),
          to: place.appendingPathComponent(to)
        )
      }
      let fault = Fault(kind: .sync, number: number, error: EIO, kills: number > 0)
      return try Program.run(
        arguments,
        in: place,
        environment: fault.environment(in: place, report: folder.path("fault"))
      )
    }
    let whole = try run(0)
    guard whole.status == 0, let count = FaultReport(folder.path("fault")).counts[.sync] else {
      return ["in one run: \(whole.errors)"]
    }
    // None where nothing is written.
    var numbers = Array(1..<count + 1)
    if !Effort.isThorough {
      var random = SeededGenerator(seed: test.name.utf8.reduce(0) { $0 &* 31 &+ UInt64($1) })
      numbers = Array(numbers.shuffled(using: &random).prefix(3))
    }
    var found: [String] = []
    for number in numbers {
      guard try run(number).isCrash else {
        found.append("it was not killed at \(number) of \(count)")
        continue
      }
      let name = "killed/\(Self.destination)"
      if let states, !states.contains(try dump(name)) {
        found.append("killed at \(number), the destination is neither as before nor as after")
      }
      let isResumed = !options.isEmpty
      var again = try Program.run(arguments + (isResumed ? ["--resume"] : []), in: place)
      // Nothing was begun, or all was done.
      if isResumed, again.status != 0 { again = try Program.run(arguments, in: place) }
      if again.status != 0 {
        found.append("killed at \(number), again: \(again.errors)")
      } else if try facts(of: name) != expected {
        found.append("killed at \(number), again: \(try facts(of: name)) instead of \(expected)")
      }
    }
    return found
  }
}
