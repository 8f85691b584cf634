import Decant
import Foundation
import TestSupport
import Testing

@testable import DecantCLI

/// Reports as an app encodes them with Foundation, held against what the program prints and against `DocumentSchema`.
@Suite struct ReportEncodingTests {
  private let folder: CommandFolder

  init() throws { folder = try CommandFolder() }

  @Test func `an encoded report is the document that the program prints`() throws {
    let (kitchen, guests) = (folder.folder.path("Kitchen.sqlite"), folder.folder.path("Guests.sqlite"))
    var options = CopyOptions()
    (options.purpose, options.merge, options.isDryRun) = (.merge, MergeRules(.skip), true)
    options.listedObjectCount = 20
    let reports: [(arguments: [String], report: any Encodable)] = [
      (["inspect", kitchen], try Inspect(kitchen).run()), (["doctor", kitchen], try Doctor(kitchen).run()),
      (["verify", kitchen, guests], try Verify(kitchen, against: guests).run()),
      (["diff", kitchen, guests], try Diff(kitchen, guests).run()),
      (["merge", guests, kitchen, "--dry-run", "--list"], try Copy(from: guests, to: kitchen, options: options).run()),
    ]
    for (arguments, report) in reports {
      let run = try folder.run(arguments + ["--json"])
      let encoded = try JSONDocument(JSONEncoder().encode(report))
      #expect(DocumentSchema.verbs[arguments[0]]?.faults(in: encoded) == [])
      let printed = try JSONDocument(Data(run.output.utf8))
      #expect(encoded.untimed == printed.untimed, "\(arguments[0])")
    }
  }

  @Test(arguments: made.indices)
  func `a report that an app has made has every member of its verb`(_ index: Int) throws {
    let (verb, report) = Self.made[index]
    let encoded = try JSONDocument(JSONEncoder().encode(report))
    #expect(DocumentSchema.verbs[verb]?.faults(in: encoded) == [])
    #expect(try JSONDocument(Data(report.documentText.utf8)) == encoded)
  }

  private static let place = "postgres://anna:sesame@db/app"
  private static let store = StoreIdentity(kind: "coredata", place: place, uuid: "U")

  /// Reports in which every part is there, with values that a store seldom has.
  private static let made: [(verb: String, report: any Encodable & Sendable)] = {
    var copy = CopyReport(
      verb: "copy",
      source: store,
      sourceFingerprint: "f",
      destination: store,
      entities: [EntityReport(name: "B", source: 3), EntityReport(name: "A", source: .max)]
    )
    copy.entities[0].merge = EntityReport.Merge(
      same: 1,
      changed: 2,
      keptBoth: 1,
      duplicate: 0,
      pairings: [
        EntityReport.Pairing(way: .identity, names: ["uuid"], isFound: true, count: 2),
        EntityReport.Pairing(way: .likeness, names: ["content"], rank: 1, count: 1),
      ]
    )
    copy.linksByRelationship = ["B.a": LinkCounts(copied: 1, cut: 2, dangling: 3)]
    copy.files = CopyReport.FileCounts(copied: 1, missing: 2)
    copy.phases = [PhaseTime(phase: .copy, seconds: 0.5)]
    copy.rejectedByCode = [.unique: 1, .link: 2]
    (copy.rejectsFile, copy.idTableFile, copy.planHash) = ("r", "i", "h")
    copy.plan = [CopyReport.PlanStep(name: "B", rowCount: 3, statement: "INSERT …\n\"x\"")]
    copy.closure = CopyReport.Closure(
      levels: [
        CopyReport.Closure.Level(distance: 0, entity: "B", objectCount: 1, byteCount: 2),
        CopyReport.Closure.Level(distance: 1, entity: "A", objectCount: 3, byteCount: 4),
      ],
      depth: 1,
      rules: ["B.a": .follow, "A.c": .stop]
    )
    copy.preview = [
      CopyReport.Preview(
        outcome: .keptBoth,
        entity: "B",
        count: 2,
        objects: [
          CopyReport.Preview.Object(key: "7", title: "Soup"),
          CopyReport.Preview.Object(key: #"["a \"b\"",1.5]"#),
        ]
      )
    ]
    copy.conflicts = [true, false, nil].map { isChanged in
      CopyReport.Conflict(
        entity: "B",
        source: 1,
        key: isChanged == nil ? #"["k",9223372036854775807]"# : nil,
        isChanged: isChanged,
        properties: ["name"]
      )
    }
    copy.unread = [CopyReport.Unread(file: "f", entry: nil, reason: "r")]
    copy.notes = [ReportNote(.previousStore, "from “\(place)”")]
    var others = copy
    (others.verb, others.knowsLinks) = ("merge", false)
    let series = Merge.Outcome(reports: [others], left: [StoreLocation(kind: "coredata", place: place)])
    others.verb = "import"
    let archives = ImportReport([others, others])

    var check = CheckReport(store: store, target: "2", targetPlace: "m")
    check.version = RecognisedVersion(name: "1", evidence: .tables)
    check.obstacle = DecantError(.modelsDiffer, "it does not fit", place: place)
    var change = ModelChange(.attributeAdded, "B.name", "is new", .inferred)
    (change.count, change.examples) = (1, ["B p1"])
    check.steps = [CheckReport.Step(from: "1", to: "2", changes: [change], mappingModels: ["1to2"])]
    var migration = MigrationReport(.migrated, check)
    migration.stages = [.inferred, .mappingFile("f"), .mappingModel("m")].map {
      ModelMigrationStage(versions: ["1", "2"], origin: $0)
    }
    copy.verb = "migrate"
    migration.copies = [copy]
    copy.verb = "copy"

    let schema = SchemaDifference(.textIndex, "B", .onlyInB, count: 2)
    let verified = VerifyReport(
      source: store,
      destination: store,
      entities: [VerifyReport.Entity(name: "B", source: 2, expected: 1, matchedBy: .content)],
      rejectedCount: 1,
      isEqual: false,
      differences: [.missing, .added, .misbooked("Z_MAX"), .changed(["name"])].map {
        Difference(entity: "B", keys: [1, 2], kind: $0)
      },
      isCutOff: true,
      notes: [ReportNote(.remark, "n")],
      schema: [schema],
      schemaCount: 1
    )
    let changes = [
      DiffReport.Change(property: "b", valueInA: "1", valueInB: "2"),
      DiffReport.Change(property: "a"),
    ]
    let diff = DiffReport(
      a: store,
      b: store,
      entities: [DiffReport.Entity(name: "B", same: 1, matchedBy: .ids)],
      rows: [DiffReport.Rows(name: "B.tags", onlyInB: 1)],
      differences: [
        DiffReport.Item(entity: "B", kind: .changed, keysInA: [1], keysInB: [2], changes: changes),
        DiffReport.Item(entity: "B", kind: .onlyInA, keysInA: [1]),
        DiffReport.Item(entity: "B", kind: .onlyInB, keysInB: [1]),
      ],
      isCutOff: false,
      notes: [],
      schema: [schema],
      schemaCount: 1
    )

    let layer = SyncMetadataLayer(
      kind: "history",
      metadataKeys: ["k"],
      tables: [SyncMetadataLayer.Table(name: "T", noun: "row", rowCount: 1)]
    )
    var clean = CleanReport(store: store, kinds: ["history"], removed: [], byteCount: 9)
    clean.removed = [
      SyncMetadataRemoval(layer: layer, counters: [SyncMetadataRemoval.Counter(name: "c", number: 1)])
    ]
    let rollback = RollbackReport(store: store, outcome: .exchanged, writtenDate: 0.5, backup: "b")
    var repoint = RepointReport(store: store, target: store, idTable: "i")
    var at = RepointReport.Place(name: "note.recipe")
    at.kept = [
      RepointReport.Kept(
        reason: .ambiguous,
        count: 1,
        examples: [RepointReport.Example(entity: "note", key: 1, value: "x")]
      )
    ]
    repoint.places = [at]
    repoint.showsValues = true

    let defaults: [Value] = [
      .null, .integer(.min), .double(0.1), .double(.infinity), .date(1e300), .decimal("1.50"),
      .text("t"), .uuid(Array(0..<16)), .uri("u"), .binary([1, 2]),
    ]
    let leaves = defaults.map { Attribute(name: "a", type: .string, defaultValue: $0) }
    var facts = StoreFacts(modelOrigin: "in the store")
    (facts.frameworkVersion, facts.syncMetadata) = (1, [layer])
    let inspection = Inspection(
      identity: store,
      size: StoreSize(database: 1, log: 2, externalFiles: 3),
      versionIdentifiers: ["v"],
      entities: [
        EntityInspection(
          name: "B",
          depth: 0,
          isAbstract: false,
          attributes: (leaves + [Attribute(name: "c", type: .composite(leaves))]).map {
            AttributeInspection(attribute: $0, valueCount: 1, byteCount: 2)
          },
          relationships: [
            RelationshipInspection(relationship: Relationship(name: "r", destination: "B"))
          ],
          identityCandidates: [IdentityCandidate(attributes: ["a"], reason: .values)]
        )
      ],
      knowsLinks: false,
      externalFiles: [ExternalFileCounts(attribute: Property("B", "a"), entity: "B")],
      facts: facts,
      otherTables: [OtherTable(name: "t", rowCount: 1)],
      triggerCount: 0,
      isSound: false,
      problems: [StoreProblem(.damage, text: "d")],
      notes: []
    )
    let examined = DoctorReport(
      store: store,
      objectCount: 1,
      linkCount: nil,
      externalFileCount: 0,
      searchedLinks: true,
      findings: [
        DoctorReport.Finding(problem: StoreProblem(.damage, text: "d"), advice: "a", command: "c \(store.place)")
      ],
      notes: [ReportNote(.remark, "n")]
    )
    return [
      ("copy", copy), ("merge", series), ("import", archives), ("check", check),
      ("migrate", migration), ("verify", verified), ("diff", diff), ("clean", clean),
      ("rollback", rollback), ("repoint", repoint), ("inspect", inspection), ("doctor", examined),
    ]
  }()

  @Test(arguments: made.indices)
  func `no encoded report holds a password of an address`(_ index: Int) throws {
    let text = try JSONEncoder().encode(Self.made[index].report)
    #expect(!String(decoding: text, as: UTF8.self).contains("sesame"))
  }

  @Test func `a reference's value is encoded only where it is asked for`() throws {
    guard var report = Self.made.first(where: { $0.verb == "repoint" })?.report as? RepointReport
    else { throw Missing() }
    func holdsValue() throws -> Bool { try report.documentText.contains(#""value": "x""#) }
    #expect(try holdsValue())
    report.showsValues = false
    #expect(try !holdsValue())
  }

  private struct Missing: Error {}
}

extension JSONDocument {
  /// Reads a document.
  init(_ data: Data) throws { self = try JSONDecoder().decode(JSONDocument.self, from: data) }

  /// The document without what no two runs have in common.
  fileprivate var untimed: JSONDocument {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { !["phases", "peakMemoryBytes"].contains($0.key) })
  }
}
