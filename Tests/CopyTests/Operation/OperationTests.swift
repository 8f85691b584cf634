import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What holds for every verb: its events, how far it says it is, and what is left when it is stopped.
@Suite struct OperationTests {
  /// A verb over stores in `folder`, with the report left out.
  struct Verb: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (Kitchens) throws -> any Runnable

    init(_ name: String, _ make: @escaping @Sendable (Kitchens) throws -> any Runnable) {
      (testDescription, self.make) = (name, make)
    }
  }

  static let verbs: [Verb] = [
    Verb("copy") { Copy(from: $0.kitchen, to: $0.out) },
    Verb("copy by rows") { kitchens in
      var options = CopyOptions()
      (options.filters, options.batchSize) = ([.everything], 7)
      return Copy(from: kitchens.kitchen, to: kitchens.out, options: options)
    },
    Verb("append") { kitchens in
      var options = CopyOptions()
      (options.appends, options.batchSize) = (true, 7)
      return Copy(from: kitchens.guests, to: kitchens.kitchen, options: options)
    },
    Verb("append by batches") { kitchens in
      var options = CopyOptions()
      (options.appends, options.batchSize, options.commit) = (true, 7, .batch)
      return Copy(from: kitchens.guests, to: kitchens.kitchen, options: options)
    },
    Verb("merge") { kitchens in
      var options = CopyOptions()
      (options.purpose, options.merge) = (.merge, MergeRules(.skip))
      return Copy(from: kitchens.guests, to: kitchens.kitchen, options: options)
    },
    Verb("merge of two") { kitchens in
      var options = CopyOptions()
      (options.purpose, options.merge) = (.merge, MergeRules(.skip))
      return Merge([kitchens.guests, kitchens.syncMetadata], into: kitchens.kitchen, options: options)
    },
    Verb("verify") { Verify($0.kitchen, against: $0.guests) },
    Verb("diff") { Diff($0.kitchen, $0.guests) },
    Verb("diff through a mapping") { kitchens in
      var diff = Diff(kitchens.kitchen, kitchens.guests)
      diff.mapping = try Mapping(text: "decant: 1\n", place: "the test")
      return diff
    },
    Verb("patch") { kitchens in
      try kitchens.plain().patch { bytes throws(DecantError) in _ = bytes.count }
    },
    Verb("page of differences") { Diff($0.kitchen, $0.guests).page(at: $0.folder.path("page.html")) },
    Verb("query") { kitchens in
      StoreQuery("SELECT * FROM Recipe", in: kitchens.kitchen).reading {
        rows throws(DecantError) in
        var count = 0
        while try rows.next() != nil { count += 1 }
        return count
      }
    },
    Verb("suggestion of a mapping") {
      MappingSuggestion(from: $0.kitchen, to: $0.guests)
    },
    Verb("suggestion of a mapping for recipe files") {
      Export(from: $0.kitchen, to: $0.folder.path("out.melarecipes")).mappingSuggestion
    },
    Verb("suggestion of links") { kitchens in
      LinkSuggestion(for: try kitchens.plain().a.place)
    },
    Verb("inspect") { Inspect($0.kitchen) },
    Verb("doctor") { Doctor($0.syncMetadata) },
    Verb("clean") { Clean($0.syncMetadata, of: ["history", "cloudkit"]) },
    Verb("check") { Check($0.kitchen, against: $0.guests) },
    Verb("export") { Export(from: $0.kitchen, to: $0.folder.path("kitchen.decant")) },
    Verb("export of each") { kitchens in
      ExportEach("Recipe", of: kitchens.kitchen, into: kitchens.folder.path("each"), options: CopyOptions())
    },
    Verb("import") { kitchens in
      let archive = kitchens.folder.path("guests.decant")
      try Export(from: kitchens.guests, to: archive).run()
      return Import([archive], into: kitchens.kitchen)
    },
    Verb("migration") { Migrate([$0.kitchen], to: $0.guests) },
    Verb("recipes") { kitchens in
      var recipes = Recipes(kitchens.kitchen)
      let mapping = Fixtures.projectFolder.appendingPathComponent("samples/kitchen-to-recipes.yaml")
      recipes.mapping = try Mapping.read(mapping.path)
      return recipes
    },
    Verb("rollback") { kitchens in
      var options = CopyOptions()
      (options.appends, options.keepsBackup) = (true, true)
      try Copy(from: kitchens.guests, to: kitchens.kitchen, options: options).run()
      return Rollback(kitchens.kitchen)
    },
  ]

  /// Dry runs, which write nothing, and comparisons: all of their time is one search.
  static let searches: [Verb] = [
    Verb("preview of a copy") { kitchens in
      var copy = Copy(from: kitchens.kitchen, to: kitchens.out)
      copy.isDryRun = true
      return copy
    },
    Verb("preview of an append") { kitchens in
      var copy = Copy(from: kitchens.guests, to: kitchens.kitchen)
      (copy.appends, copy.isDryRun) = (true, true)
      return copy
    },
    Verb("preview of a merge") { kitchens in
      var options = CopyOptions()
      (options.purpose, options.merge) = (.merge, MergeRules(.update))
      options.isDryRun = true
      return Merge([kitchens.guests], into: kitchens.kitchen, options: options)
    },
    Verb("comparison with a base") { kitchens in
      try Copy(from: kitchens.kitchen, to: kitchens.out).run()
      var options = CopyOptions()
      (options.purpose, options.isDryRun) = (.merge, true)
      var rules = MergeRules(.threeWay)
      rules.base = StoreKinds.location(kitchens.out)
      options.merge = rules
      return Merge([kitchens.out], into: kitchens.kitchen, options: options)
    },
    Verb("diff through a mapping") { kitchens in
      var diff = Diff(kitchens.kitchen, kitchens.guests)
      diff.mapping = try Mapping(text: "decant: 1\n", place: "the test")
      return diff
    },
    Verb("patch") { kitchens in
      try kitchens.plain().patch { bytes throws(DecantError) in _ = bytes.count }
    },
    Verb("suggestion of a mapping") { MappingSuggestion(from: $0.kitchen, to: $0.guests) },
    Verb("suggestion of links") { LinkSuggestion(for: try $0.plain().a.place) },
    Verb("verification of other stores") { Verify($0.kitchen, against: $0.guests) },
    Verb("rollback of a store that is copied") { kitchens in
      var copy = Copy(from: kitchens.guests, to: kitchens.kitchen)
      (copy.appends, copy.writing.keepsBackup) = (true, true)
      try copy.run()
      return Rollback(kitchens.kitchen)
    },
  ]

  @Test(arguments: searches) func `a search moves while it works`(_ verb: Verb) throws {
    let kitchens = try Kitchens()
    defer { withExtendedLifetime(kitchens) {} }
    let fractions = try fractions(try verb.make(kitchens))
    #expect(fractions == fractions.sorted())
    #expect(fractions.last == 1)
    #expect(Set(fractions).count > 3, "\(fractions)")
  }

  @Test func `several archives are read as one`() throws {
    let kitchens = try Kitchens()
    var archives: [String] = []
    for (index, store) in [kitchens.kitchen, kitchens.guests, kitchens.syncMetadata].enumerated() {
      archives.append(kitchens.folder.path("\(index).decant"))
      try Export(from: store, to: archives[index]).run()
    }
    var work = Import(archives, into: kitchens.out)
    work.isDryRun = true
    var counts: [Double] = []
    try work.run { event in
      guard case .working(.progress(let progress), _) = event, progress.phase == .read else {
        return
      }
      counts.append(Double(progress.rowCount) / Double(progress.expectedRowCount))
    }
    #expect(counts.count >= 3)
    #expect(counts == counts.sorted(), "\(counts)")
    #expect(counts.last == 1)
  }

  private func fractions<Work: Runnable>(_ work: Work) throws -> [Double] {
    var fractions: [Double] = []
    var isFinished = false
    try work.run { event in
      #expect(!isFinished, "the report is the last event")
      if case .finished = event { isFinished = true }
      fractions.append(event.fraction)
    }
    #expect(isFinished)
    return fractions
  }

  @Test(arguments: verbs) func `the fraction rises from 0 to 1 and never falls`(_ verb: Verb) throws {
    let kitchens = try Kitchens()
    defer { withExtendedLifetime(kitchens) {} }
    let work = try verb.make(kitchens)
    let fractions = try fractions(work)
    #expect(fractions == fractions.sorted())
    #expect(fractions.allSatisfy { 0...1 ~= $0 })
    #expect(fractions.last == 1)
    #expect(fractions.dropLast().allSatisfy { $0 < 1 }, "before the end something is left to do")
    #expect(Set(fractions).count > 1)
  }

  /// Everything in the folder, by name.
  private func state(_ folder: TemporaryFolder) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for case let name as String in FileManager.default.enumerator(atPath: folder.url.path)
      ?? .init()
    {
      files[name] = FileManager.default.contents(atPath: folder.path(name))
    }
    return files
  }

  private func cancelled<Work: Runnable>(_ work: Work, at count: Int) throws -> Bool {
    let cancellation = Cancellation()
    var seen = 0
    do throws(DecantError) {
      try work.run(cancellation: cancellation) { _ in
        seen += 1
        if seen == count { cancellation.cancel() }
      }
      return false
    } catch {
      #expect(error.family == .interrupted, "\(error)")
      return true
    }
  }

  /// What stays is said on the page of the verb: a part of a new store, archives that are done.
  private static let leaving = [
    "copy by rows", "append by batches", "export of each", "merge of two",
  ]

  @Test(arguments: verbs, [1, 2, 4, 9])
  func `a verb that is stopped at any event leaves what it promises`(_ verb: Verb, count: Int) throws {
    let kitchens = try Kitchens()
    let work = try verb.make(kitchens)
    let before = try state(kitchens.folder)
    guard try cancelled(work, at: count) else {
      // Where a migration has nothing to do, its first event says so.
      #expect(count > 1 || verb.testDescription == "migration", "a request at the first event comes in time")
      return
    }
    let after = try state(kitchens.folder)
    if verb.testDescription == "clean", after != before {
      // The request came after the commit: the store is whole, cleaned, and has its backup.
      #expect(try Program.sqlite3(kitchens.syncMetadata, "PRAGMA integrity_check") == "ok")
      #expect(try Clean(kitchens.syncMetadata, of: ["history"]).run().removed.isEmpty)
      #expect(Set(after.keys).subtracting(before.keys) == ["SyncMetadata.sqlite.backup-1"])
      return
    }
    for (name, content) in before where verb.testDescription != "merge of two" {
      #expect(after[name] == content, "\(name) is unchanged")
    }
    guard !Self.leaving.contains(verb.testDescription) else { return }
    #expect(Set(after.keys).subtracting(before.keys).isEmpty)
  }

  @Test func `a task that is cancelled gets a cancellation error`() async throws {
    let kitchens = try Kitchens()
    var options = CopyOptions()
    // More events than may wait: the work cannot be done when the first of them is looked at.
    (options.filters, options.batchSize) = ([.everything], 1)
    let copy = Copy(from: kitchens.kitchen, to: kitchens.out, options: options)
    let task = Task {
      try await copy.operation.report { event in
        if case .working(.progress, _) = event { withUnsafeCurrentTask { $0?.cancel() } }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(!FileManager.default.fileExists(atPath: kitchens.out))
  }

  @Test func `what fails is thrown as what it is`() async throws {
    let kitchens = try Kitchens()
    let copy = Copy(from: kitchens.folder.path("nowhere.sqlite"), to: kitchens.out)
    let error = await #expect(throws: DecantError.self) { try await copy.operation.report() }
    #expect(error?.family == .storeNotFound)
  }

  /// An iteration whose task is cancelled when the work is done all the same.
  @Test func `what is done before the request arrives ends with its report`() async throws {
    let kitchens = try Kitchens()
    let copy = Copy(from: kitchens.kitchen, to: kitchens.out)
    let task = Task {
      try await copy.operation.report { event in
        guard case .working(.began(.publish), _) = event else { return }
        // The file gets its name in some milliseconds, whoever asks for what.
        Thread.sleep(forTimeInterval: 0.5)
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    let report = try await task.value
    #expect(report.isVerified)
    #expect(FileManager.default.fileExists(atPath: kitchens.out))
  }

  @Test func `a merge of nothing is refused`() {
    let error = #expect(throws: DecantError.self) { try Merge([], into: "x.sqlite").run() }
    #expect(error?.code == .missingOption)
    #expect(throws: DecantError.self) { try Merge([], into: "x.sqlite").preview().run() }
  }
}

extension Kitchens {
  /// Two plain databases of the same tables, whose rows differ.
  fileprivate func plain() throws -> Diff {
    let (one, other) = (folder.path("one.db"), folder.path("other.db"))
    try Copy(from: kitchen, to: "sqlite:\(one)").run()
    try FileManager.default.copyItem(atPath: one, toPath: other)
    _ = try Program.sqlite3(other, "DELETE FROM Ingredient WHERE rowid % 2; UPDATE Recipe SET rating = 1")
    return Diff(one, other)
  }
}
