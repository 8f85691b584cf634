import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What holds for a copy between stores of every kind.
@Suite struct StoreConformance {
  /// The kinds of stores that are held to it.
  static let kinds: [any ConformingKind] = [
    CoreDataConformance(), PlainConformance(), MemoryConformance(),
  ]

  private let folder: TemporaryFolder
  private var source: String { folder.path("source.sqlite") }
  private var out: String { folder.path("out.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  @discardableResult
  private func copy(
    _ kind: any ConformingKind,
    _ from: String? = nil,
    to place: String? = nil,
    _ configure: (inout CopyOptions) -> Void = { _ in }
  ) throws -> CopyReport {
    var options = CopyOptions()
    kind.configure(&options, folder.url.path)
    configure(&options)
    let report = try Copy(
      from: StoreLocation(kind: kind.name, place: from ?? source),
      to: StoreLocation(kind: kind.name, place: place ?? out),
      options: options,
      opener: StoreKinds(with: MemoryKind())
    ).run()
    #expect(report.isVerified)
    return report
  }

  private func make(_ kind: any ConformingKind, _ things: [Thing], at place: String? = nil) throws {
    try kind.makeStore(at: place ?? source)
    try kind.write(things, to: place ?? source)
  }

  private func found(_ kind: any ConformingKind, _ place: String, _ key: Int = 0, _ label: Int = 0)
    throws -> FoundThings
  {
    try kind.things(in: place, above: key, labelsAbove: label)
  }

  /// Copies the source by every way there is, and holds each result against it.
  private func expectCopies(_ kind: any ConformingKind, _ things: [Thing]) throws {
    try make(kind, things)
    let expected = try found(kind, source)
    #expect(expected.things.count == things.count)
    try copy(kind)
    #expect(try found(kind, out) == expected, "as a whole")
    for batchSize: Int64 in [1, 2, 7, 1000] {
      try kind.remove(out)
      try copy(kind) {
        $0.filters = [.init(entity: "Label", expression: "1")]
        $0.batchSize = batchSize
      }
      #expect(try found(kind, out) == expected, "row by row, \(batchSize) at a time")
    }
    try copy(kind) { $0.appends = true }
    let last = things.map(\.key).max() ?? 0
    #expect(try found(kind, out, last, 3) == expected, "added")
    #expect(try kind.problem(of: out) == nil)
  }

  @Test(arguments: kinds) func `an empty store`(_ kind: any ConformingKind) throws {
    try expectCopies(kind, [])
  }

  @Test(arguments: kinds) func `one object without any value`(_ kind: any ConformingKind) throws {
    try expectCopies(kind, [Thing(key: 1)])
  }

  @Test(arguments: kinds) func `the extremes of every type`(_ kind: any ConformingKind) throws {
    try expectCopies(kind, Thing.withExtremes)
  }

  @Test(arguments: kinds) func `links forward, backward and in circles`(_ kind: any ConformingKind)
    throws
  {
    try expectCopies(
      kind,
      [
        Thing(key: 2, next: 2), Thing(key: 3, next: 4), Thing(key: 4, next: 5),
        Thing(key: 5, next: 3, whole: 5, position: 2048),
        Thing(key: 9, next: 2, whole: 3, position: 1),
        Thing(key: 4_000_000_000, next: 9),
      ]
    )
  }

  @Test(arguments: kinds) func `the order of a list`(_ kind: any ConformingKind) throws {
    let positions = [4096, 2048, 3072, -5, 2049, 2048]
    try expectCopies(
      kind,
      positions.enumerated().map { Thing(key: $0 + 2, whole: 1, position: $1, labels: [1, 3]) }
        + [Thing(key: 1)]
    )
  }

  @Test(arguments: kinds, SeededGenerator.seeds(6))
  func `anything at random`(_ kind: any ConformingKind, seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    try expectCopies(kind, Thing.random(Int.random(in: 2...60, using: &generator), &generator))
  }

  @Test(arguments: kinds) func `there and back again is where it was`(_ kind: any ConformingKind)
    throws
  {
    var generator = SeededGenerator(seed: 1)
    try make(kind, Thing.random(30, &generator))
    try copy(kind)
    let back = folder.path("back.sqlite")
    try copy(kind, out, to: back)
    #expect(try found(kind, back) == found(kind, source))
  }

  @Test(arguments: kinds) func `what is refused at the end undoes what went before`(_ kind: any ConformingKind) throws {
    var generator = SeededGenerator(seed: 2)
    let things = Thing.random(30, &generator)
    let last = Thing(key: 1000, values: ["string": "'only once'"], labels: [1])
    try make(kind, things + [last])
    try make(kind, things.prefix(5) + [last], at: out)
    try kind.forbidTwice("only once", in: out)
    let before = try kind.state(of: out)
    let error = #expect(throws: DecantError.self) {
      try copy(kind) {
        $0.appends = true
        $0.batchSize = 4
      }
    }
    #expect(error?.family == .failed)
    #expect(error?.message.contains(/\b(p|key )1000\b/) == true)
    #expect(try kind.state(of: out) == before)
    let report = try copy(kind) {
      $0.appends = true
      $0.batchSize = 4
      $0.onError = .reject
    }
    #expect(report.rejectedCount == 1)
    #expect(try found(kind, out, 1000, 3).things.count == things.count)
  }

  @Test(arguments: kinds) func `a copy is a store like any other`(_ kind: any ConformingKind) throws {
    try make(kind, [Thing(key: 7, values: ["string": "'first'"], labels: [2])])
    try copy(kind)
    let second = [Thing(key: 8, values: ["string": "'second'"], next: 7, labels: [1, 2])]
    for place in [source, out] { try kind.write(second, to: place) }
    let again = folder.path("again.sqlite")
    try copy(kind, out, to: again)
    #expect(try found(kind, again) == found(kind, source))
  }

  @Test(arguments: kinds) func `a merge adds what is new, and the next one nothing`(_ kind: any ConformingKind) throws {
    func thing(_ key: Int, next: Int? = nil) -> Thing {
      Thing(key: key, values: ["string": "'thing \(key)'"], next: next, labels: [1])
    }
    try make(kind, [thing(1), thing(2, next: 1)])
    try copy(kind)
    try kind.write([thing(3, next: 2), thing(4, next: 3)], to: source)
    for (isDryRun, copied) in [(true, 2), (false, 2), (true, 0), (false, 0)] as [(Bool, Int64)] {
      let before = try kind.state(of: out)
      var options = CopyOptions()
      kind.configure(&options, folder.url.path)
      (options.purpose, options.merge, options.isDryRun) = (.merge, MergeRules(.skip), isDryRun)
      let report = try Copy(
        from: StoreLocation(kind: kind.name, place: source),
        to: StoreLocation(kind: kind.name, place: out),
        options: options,
        opener: StoreKinds(with: MemoryKind())
      ).run()
      #expect(report["Thing"]?.copied == copied)
      #expect(report["Label"]?.copied == 0)
      let isAsBefore = try kind.state(of: out) == before
      #expect(!isDryRun || isAsBefore)
    }
    #expect(try found(kind, out) == found(kind, source))
  }

  @Test(arguments: kinds) func `a store without the things of a Core Data store is not equal to it`(
    _ kind: any ConformingKind
  ) throws {
    let coreData = CoreDataConformance()
    let other = folder.path("other.sqlite")
    try coreData.makeStore(at: other)
    try make(kind, [Thing(key: 1, values: ["int16": "7"])])
    var options = CopyOptions()
    coreData.configure(&options, folder.url.path)
    var verify = Verify(
      StoreLocation(kind: kind.name, place: source),
      against: StoreLocation(kind: coreData.name, place: other),
      opener: StoreKinds(with: MemoryKind())
    )
    verify.model = options.model
    // Tables that are not those of a model are an error; they must not be passed over.
    do {
      #expect(
        !(try verify.run().isEqual), "openSource(_:facing:options:) returned no objects of the other store's model")
    } catch {
      #expect(error.family == .modelMismatch, "\(error.code)")
    }
  }

  @Test(arguments: kinds) func `a comparison finds nothing, then the one thing more`(
    _ kind: any ConformingKind
  ) throws {
    var generator = SeededGenerator(seed: 3)
    try make(kind, Thing.random(30, &generator))
    try copy(kind)
    var verify = Verify(
      StoreLocation(kind: kind.name, place: source),
      against: StoreLocation(kind: kind.name, place: out),
      opener: StoreKinds(with: MemoryKind())
    )
    var options = CopyOptions()
    kind.configure(&options, folder.url.path)
    verify.model = options.model
    #expect(try verify.run().isEqual)
    try kind.write([Thing(key: 1_000, values: ["int16": "7"])], to: source)
    #expect(try !verify.run().isEqual)
  }
}
