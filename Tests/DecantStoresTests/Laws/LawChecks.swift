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
    let run = try run(["--json"])
    guard run.status == test.status else {
      return ["exit code \(run.status) instead of \(test.status): \(run.errors.prefix(300))"]
    }
    var found = test.says.filter { !run.errors.contains($0) }.map {
      "it does not say “\($0)”: \(run.errors)"
    }
    if test.destination == nil, run.status != 0, run.status != 3, try !dump().isEmpty {
      found.append("it fails, and something is there")
    }
    for fact in test.facts {
      let rows = try rows(fact.query)
      if rows != fact.rows { found.append("\(fact.query): \(rows) instead of \(fact.rows)") }
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
    let before = try complaints()
    _ = try run()
    // A loose link of the source stays one where nothing else is asked for.
    guard try complaints(Self.source).isEmpty else { return [] }
    return try complaints().subtracting(before).sorted()
  }

  private func prediction() throws -> [String] {
    let untouched = try dump()
    let dry = try run(["--dry-run", "--json"])
    guard try dump() == untouched else { return ["a dry run changed the destination"] }
    guard test.verb != ["diff"] else { return [] }
    let run = try run(["--json"])
    // What the destination itself refuses is known only when it is written.
    guard dry.status == run.status || dry.status == 0 && run.status == 3 else {
      return ["the dry run ends with \(dry.status), the run with \(run.status)"]
    }
    guard run.status == test.status, dry.status == run.status else { return [] }
    let (before, after) = (try LawReport(dry), try LawReport(run))
    guard before.links == after.links else {
      return [
        "links: \(String(describing: before.links)) foretold, \(String(describing: after.links)) found"
      ]
    }
    let (foretold, found) = (before.entities, after.entities)
    return Set(foretold.keys).union(found.keys).sorted().compactMap { entity in
      foretold[entity] == found[entity]
        ? nil
        : "\(entity): \(String(describing: foretold[entity])) foretold, \(String(describing: found[entity])) found"
    }
  }

  private func repetition() throws -> [String] {
    _ = try run()
    let before = try dump()
    let again = try run(["--json"])
    guard again.status == test.status else { return ["the second run ends with \(again.status)"] }
    guard try dump() == before else { return ["the second run changes the destination"] }
    return try LawReport(again).entities.sorted { $0.key < $1.key }.compactMap { entity, counts in
      counts.copied == 0 && counts.updated == 0 ? nil : "\(entity): the second run counts \(counts)"
    }
  }

  private func renumbering() throws -> [String] {
    try copy(Self.source, as: "other.db")
    try copy(Self.destination, as: "there.db")
    _ = try python("renumber.py", ["other.db"] + test.links)
    let (first, second) = (try run(), try run(from: "other.db", to: "there.db"))
    guard first.status == second.status else {
      return ["exit code \(first.status), of the renumbered source \(second.status)"]
    }
    let (expected, found) = (try facts(), try facts(of: "there.db"))
    return zip(test.facts, zip(expected, found)).compactMap { fact, rows in
      rows.0 == rows.1 ? nil : "\(fact.query): \(rows.0), of the renumbered source \(rows.1)"
    }
  }

  private func batches() throws -> [String] {
    try copy(Self.destination, as: "untouched.db")
    let whole = try run()
    guard whole.status == test.status else { return ["in one run: \(whole.errors)"] }
    let expected = try facts()
    // A new store is made row by row where a copy could be resumed.
    let options = test.destination == nil ? ["--resume"] : ["--commit", "batch", "--backup"]
    var found: [String] = []
    for size in [1, 3, 10_000] {
      try copy("untouched.db", as: "batched.db")
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
    let dry = try run(["--dry-run", "--json"])
    guard dry.status == 0 else { return ["merge: \(dry.errors)"] }
    let merge = try LawReport(dry)
    let diff = try decant(["diff", Self.source, Self.destination, "--json"] + pairing)
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
    for kind in ["value", "link", "removal"] {
      try copy("copy.db", as: "damaged.db")
      let what = try python("edit.py", ["damaged.db", kind, "1"])
      guard !what.isEmpty else { continue }
      planted += 1
      let run = try decant(["verify", Self.source, "damaged.db", "--ids", "ids.db"])
      if run.status != 4 { found.append("verify ends with \(run.status) after: \(what)") }
    }
    return planted == 0 ? ["there is nothing to damage"] : found
  }

  /// The edits that somebody makes in a copy that is merged back.
  static let edits = ["value", "link", "part", "removal", "two"]

  private func editedCopy() throws -> [String] {
    guard !test.options.contains("keep-both") else { return [] }
    var found: [String] = []
    for edit in Self.edits {
      for policy in ["skip", "update"] {
        try copy(Self.destination, as: "edited.db")
        try copy(Self.destination, as: "kept.db")
        let what = try python("edit.py", ["edited.db", edit, "1"] + test.links)
        guard !what.isEmpty else { continue }
        let before = try rowCounts("kept.db")
        let dump = try dump("kept.db")
        let run = try decant(["merge", "edited.db", "kept.db", "--merge", policy] + pairing)
        if run.status != 0 {
          found.append("\(policy) after \(what): \(run.errors)")
        } else if try rowCounts("kept.db") != before {
          found.append("\(policy) after \(what): \(before) became \(try rowCounts("kept.db"))")
        } else if policy == "skip", try self.dump("kept.db") != dump {
          found.append("skip changes the destination after \(what)")
        }
      }
    }
    return found
  }

  private func kill() throws -> [String] {
    try copy(Self.destination, as: "untouched.db")
    let whole = try run()
    guard whole.status == 0 else { return ["in one run: \(whole.errors)"] }
    let (expected, after) = (try facts(), try dump())
    return try killed([], expected, [try dump("untouched.db"), after])
      + killed(["--commit", "batch", "--batch-size", "1", "--backup"], expected, nil)
  }

  /// Kills the command before each synchronization of the disk in turn, and starts it again.
  ///
  /// - Parameters:
  ///   - options: Further options of the command.
  ///   - expected: What the facts are in the end.
  ///   - states: What the destination may hold in between; anything for `nil`.
  /// - Returns: What is wrong, a line each.
  /// - Throws: What keeps a program from running.
  private func killed(_ options: [String], _ expected: [[String]], _ states: Set<String>?) throws
    -> [String]
  {
    var found: [String] = []
    for number in 1...200 {
      let place = folder.url.appendingPathComponent("killed")
      try? FileManager.default.removeItem(at: place)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      let files = [(Self.source, Self.source), ("untouched.db", Self.destination)]
      let others = ["base.db", "map.yaml"].filter {
        FileManager.default.fileExists(atPath: folder.path($0))
      }
      for (from, to) in files + others.map({ ($0, $0) }) {
        try FileManager.default.copyItem(
          at: folder.url.appendingPathComponent(from),
          to: place.appendingPathComponent(to)
        )
      }
      let names = [Self.source, Self.destination]
      let fault = Fault(kind: .sync, number: number, error: EIO, kills: true)
      let report = folder.path("fault")
      let run = try Program.run(
        [DecantProgram.path] + test.verb + names + test.options + options,
        in: place,
        environment: fault.environment(in: place, report: report)
      )
      // So many there are not.
      if !run.isCrash, run.status == 0 { return found }
      let name = "killed/\(Self.destination)"
      if let states, !states.contains(try dump(name)) {
        found.append("killed at \(number), the destination is neither as before nor as after")
      }
      let isResumed = !options.isEmpty
      let arguments = [DecantProgram.path] + test.verb + names + test.options + options
      var again = try Program.run(arguments + (isResumed ? ["--resume"] : []), in: place)
      // Nothing was begun, or all was done.
      if isResumed, again.status != 0 { again = try Program.run(arguments, in: place) }
      if again.status != 0 {
        found.append("killed at \(number), again: \(again.errors)")
      } else if try facts(of: name) != expected {
        found.append("killed at \(number), again: \(try facts(of: name)) instead of \(expected)")
      }
    }
    return found + ["it was killed 200 times and did not end"]
  }
}
