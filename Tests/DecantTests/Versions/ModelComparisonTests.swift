import Testing

@testable import DecantBase
@testable import DecantVersions

/// Each kind of change, and what it asks for by Apple's rules of lightweight migration.
@Suite struct ModelComparisonTests {
  /// A change in few words: what, of what, what it asks for without and with objects in its way.
  struct Found: Equatable, CustomStringConvertible {
    var kind: ModelChange.Kind
    var subject: String
    var least: ModelChange.Demand
    var most: ModelChange.Demand

    init(_ kind: ModelChange.Kind, _ subject: String, _ least: ModelChange.Demand, _ most: ModelChange.Demand? = nil) {
      self.kind = kind
      self.subject = subject
      self.least = least
      self.most = most ?? least
    }

    var description: String { "\(kind.rawValue) \(subject) \(least)…\(most)" }
  }

  private func changes(_ source: [Entity], _ destination: [Entity]) -> [Found] {
    ModelComparison.changes(from: Model(entities: source), to: Model(entities: destination)).map {
      Found($0.kind, $0.subject, $0.question?.demandOfNone ?? $0.demand, $0.demand)
    }
  }

  /// What changes in an attribute `Dish.name`, a required text, that `change` leaves otherwise.
  private func changes(from type: AttributeType = .string, _ change: (inout Attribute) -> Void) -> [Found] {
    let here = Attribute(name: "name", type: type)
    var there = here
    change(&there)
    return changes([Entity(name: "Dish", attributes: [here])], [Entity(name: "Dish", attributes: [there])])
  }

  @Test func `a model is the same as itself`() {
    #expect(changes { _ in } == [])
  }

  // MARK: Attributes

  @Test func `what Apple infers of attributes`() {
    let dish = Entity(name: "Dish")
    func new(_ attribute: Attribute) -> [Found] {
      changes([dish], [Entity(name: "Dish", attributes: [attribute])])
    }
    let added = Found(.attributeAdded, "Dish.x", .inferred)
    #expect(new(Attribute(name: "x", type: .date, isOptional: true)) == [added])
    #expect(new(Attribute(name: "x", type: .string, defaultValue: .text("?"))) == [added])
    #expect(new(Attribute(name: "x", type: .date, isTransient: true)) == [added])
    #expect(new(Attribute(name: "x", type: .integer64, derivation: "steps.@count")) == [added])
    #expect(
      changes([Entity(name: "Dish", attributes: [Attribute(name: "x", type: .date)])], [dish])
        == [Found(.attributeRemoved, "Dish.x", .inferred)]
    )
    #expect(changes { $0.isOptional = true } == [Found(.requiredToOptional, "Dish.name", .inferred)])
    #expect(
      changes {
        $0.name = "title"
        $0.renamingIdentifier = "name"
      } == [Found(.attributeRenamed, "Dish.title", .inferred)]
    )
  }

  @Test func `a required attribute without default value depends on objects`() {
    #expect(
      changes(
        [Entity(name: "Dish")],
        [Entity(name: "Dish", attributes: [Attribute(name: "x", type: .string)])]
      ) == [Found(.attributeAdded, "Dish.x", .beyondCoreData, .mapping)]
    )
    let optional = Entity(name: "Dish", attributes: [Attribute(name: "x", type: .string, isOptional: true)])
    func required(_ value: Value?) -> Entity {
      Entity(name: "Dish", attributes: [Attribute(name: "x", type: .string, defaultValue: value)])
    }
    #expect(
      changes([optional], [required(nil)])
        == [Found(.optionalToRequired, "Dish.x", .beyondCoreData, .mapping)]
    )
    #expect(
      changes([optional], [required(.text(""))]) == [
        Found(.optionalToRequired, "Dish.x", .inferred),
        Found(.defaultChanged, "Dish.x", .nothing),
      ]
    )
  }

  @Test(
    arguments: [
      (.integer16, .integer64, .mapping), (.double, .float, .mapping),
      (.integer64, .boolean, .mapping),
      (.string, .integer32, .mapping), (.string, .uuid, .mapping),
      (.integer32, .string, .beyondCoreData),
      (.uuid, .string, .beyondCoreData), (.string, .uri, .beyondCoreData),
      (.string, .date, .mapping),
      (.date, .double, .mapping), (.binary, .string, .mapping), (.transformable, .binary, .mapping),
      (.boolean, .string, .mapping),
    ] as [(AttributeType, AttributeType, ModelChange.Demand)]
  )
  func `a type that changes is never inferred by Core Data`(
    _ from: AttributeType,
    _ to: AttributeType,
    _ most: ModelChange.Demand
  ) {
    #expect(
      changes(from: from) { $0.type = to }
        == [Found(.typeChanged, "Dish.name", .beyondCoreData, most)]
    )
  }

  @Test func `what is said of an attribute and changes no value`() {
    #expect(changes { $0.defaultValue = .text("?") } == [Found(.defaultChanged, "Dish.name", .nothing)])
    #expect(changes { $0.userInfo = ["a": "b"] } == [Found(.userInfoChanged, "Dish.name", .nothing)])
    #expect(changes { $0.rules.pattern = "a+" } == [Found(.validationChanged, "Dish.name", .nothing)])
    #expect(changes { $0.isIndexed = true } == [Found(.indexChanged, "Dish.name", .nothing)])
    #expect(
      changes(from: .transformable) { $0.valueTransformer = "X" }
        == [Found(.transformerChanged, "Dish.name", .nothing)]
    )
    #expect(
      changes { $0.versionHashModifier = "2" }
        == [Found(.versionHashModifierChanged, "Dish.name", .inferred)]
    )
    #expect(
      changes(from: .binary) { $0.allowsExternalStorage = true }
        == [Found(.externalStorageChanged, "Dish.name", .inferred)]
    )
    #expect(changes { $0.derivation = "a" } == [Found(.derivationChanged, "Dish.name", .inferred)])
    #expect(changes { $0.isTransient = true } == [Found(.transientChanged, "Dish.name", .inferred)])
  }

  @Test func `a value that was never stored is missing when it is stored`() {
    let here = Attribute(name: "x", type: .string, isTransient: true)
    let there = Attribute(name: "x", type: .string)
    #expect(
      changes(
        [Entity(name: "Dish", attributes: [here])],
        [Entity(name: "Dish", attributes: [there])]
      ) == [Found(.transientChanged, "Dish.x", .beyondCoreData, .mapping)]
    )
  }

  @Test func `the parts of a composite attribute are compared one by one`() {
    func dish(_ leaves: [Attribute]) -> [Entity] {
      [Entity(name: "Dish", attributes: [Attribute(name: "place", type: .composite(leaves))])]
    }
    let city = Attribute(name: "city", type: .string, isOptional: true)
    let zip = Attribute(name: "zip", type: .integer32, isOptional: true)
    var code = zip
    (code.name, code.renamingIdentifier, code.type) = ("code", "zip", .string)
    #expect(
      changes(dish([city, zip]), dish([code])) == [
        Found(.attributeRenamed, "Dish.place.code", .inferred),
        Found(.typeChanged, "Dish.place.code", .beyondCoreData),
        Found(.attributeRemoved, "Dish.place.city", .inferred),
      ]
    )
  }

  // MARK: Relationships

  /// What changes in `Dish.course`, to one Course, that `change` leaves otherwise.
  private func linkChanges(
    of relationship: Relationship = Relationship(name: "course", destination: "Course"),
    _ change: (inout Relationship) -> Void
  ) -> [Found] {
    var there = relationship
    change(&there)
    func entities(_ relationship: Relationship) -> [Entity] {
      [
        Entity(name: "Dish", relationships: [relationship]), Entity(name: "Meal"),
        Entity(name: "Course", superentity: "Meal"), Entity(name: "Soup", superentity: "Course"),
        Entity(name: "Table"),
      ]
    }
    return changes(entities(relationship), entities(there))
  }

  private let many = Relationship(name: "courses", destination: "Course", isToMany: true)

  @Test func `what Apple infers of relationships`() {
    #expect(
      // Several may lead to one object, which then is in one list only.
      linkChanges { $0.isToMany = true }
        == [Found(.toOneToMany, "Dish.course", .inferred, .mapping)]
    )
    #expect(
      linkChanges(of: many) { $0.isOrdered = true } == [
        Found(.orderingChanged, "Dish.courses", .inferred)
      ]
    )
    #expect(
      linkChanges {
        $0.name = "part"
        $0.renamingIdentifier = "course"
      } == [Found(.relationshipRenamed, "Dish.part", .inferred)]
    )
    let (with, without) = (Entity(name: "Dish", relationships: [many]), Entity(name: "Dish"))
    let course = Entity(name: "Course")
    #expect(
      changes([without, course], [with, course])
        == [Found(.relationshipAdded, "Dish.courses", .inferred)]
    )
    #expect(
      changes([with, course], [without, course])
        == [Found(.relationshipRemoved, "Dish.courses", .inferred)]
    )
  }

  @Test func `what depends on the links there are`() {
    #expect(
      linkChanges(of: many) { $0.isToMany = false }
        == [Found(.toManyToOne, "Dish.courses", .beyondCoreData, .mapping)]
    )
    #expect(
      linkChanges { $0.isOptional = false }
        == [Found(.optionalToRequired, "Dish.course", .beyondCoreData, .mapping)]
    )
    #expect(
      linkChanges(of: many) { $0.maxCount = 3 }
        == [Found(.countBoundsChanged, "Dish.courses", .inferred, .mapping)]
    )
    #expect(
      linkChanges { $0.destination = "Table" }
        == [Found(.destinationChanged, "Dish.course", .beyondCoreData, .mapping)]
    )
    #expect(
      linkChanges { $0.destination = "Soup" }
        == [Found(.destinationChanged, "Dish.course", .beyondCoreData, .mapping)]
    )
    let one = Relationship(name: "course", destination: "Course", isOptional: false)
    let (dish, course) = (Entity(name: "Dish", relationships: [one]), Entity(name: "Course"))
    #expect(
      changes([Entity(name: "Dish"), course], [dish, course])
        == [Found(.relationshipAdded, "Dish.course", .beyondCoreData, .mapping)]
    )
  }

  @Test func `what leads to more than before fits in any case`() {
    #expect(
      linkChanges { $0.destination = "Meal" }
        == [Found(.destinationChanged, "Dish.course", .beyondCoreData)]
    )
    #expect(linkChanges { $0.isOptional = true } == [])
    #expect(
      linkChanges(of: Relationship(name: "course", destination: "Course", isOptional: false)) {
        $0.isOptional = true
      } == [Found(.requiredToOptional, "Dish.course", .inferred)]
    )
  }

  /// Apple's page on version hashes: for relationships the destination entity, minimum and maximum count, the
  /// delete rule and the inverse relationship count.
  @Test func `a delete rule asks for a migration that changes nothing`() {
    #expect(
      linkChanges { $0.deleteRule = .cascade } == [
        Found(.deleteRuleChanged, "Dish.course", .inferred)
      ]
    )
    #expect(
      linkChanges { $0.versionHashModifier = "2" }
        == [Found(.versionHashModifierChanged, "Dish.course", .inferred)]
    )
    #expect(linkChanges { $0.userInfo = ["a": "b"] } == [Found(.userInfoChanged, "Dish.course", .nothing)])
  }

  @Test func `an inverse that only has another name is the same`() {
    func model(_ inverse: String, _ identifier: String? = nil) -> [Entity] {
      [
        Entity(name: "Dish", relationships: [Relationship(name: "course", destination: "Course", inverse: inverse)]),
        Entity(
          name: "Course",
          relationships: [
            Relationship(
              name: inverse,
              destination: "Dish",
              inverse: "course",
              isToMany: true,
              renamingIdentifier: identifier
            )
          ]
        ),
      ]
    }
    #expect(
      changes(model("dishes"), model("plates", "dishes"))
        == [Found(.relationshipRenamed, "Course.plates", .inferred)]
    )
    #expect(changes(model("dishes"), model("plates")).contains(Found(.inverseChanged, "Dish.course", .inferred)))
  }

  // MARK: Entities

  @Test func `what Apple infers of entities`() {
    #expect(changes([], [Entity(name: "Dish")]) == [Found(.entityAdded, "Dish", .inferred)])
    #expect(
      changes([Entity(name: "Dish")], [Entity(name: "Plate", renamingIdentifier: "Dish")])
        == [Found(.entityRenamed, "Plate", .inferred)]
    )
    #expect(
      changes([Entity(name: "Dish", isAbstract: true)], [])
        == [Found(.entityRemoved, "Dish", .inferred)]
    )
    #expect(
      changes([Entity(name: "Dish", isAbstract: true)], [Entity(name: "Dish")])
        == [Found(.abstractChanged, "Dish", .inferred)]
    )
    #expect(
      changes([Entity(name: "Dish")], [Entity(name: "Dish", className: "Plate")])
        == [Found(.classChanged, "Dish", .nothing)]
    )
    #expect(
      changes([Entity(name: "Dish")], [Entity(name: "Dish", compoundIndexes: [["a"]])])
        == [Found(.indexChanged, "Dish", .nothing)]
    )
    #expect(
      changes([Entity(name: "Dish")], [Entity(name: "Dish", versionHashModifier: "2")])
        == [Found(.versionHashModifierChanged, "Dish", .inferred)]
    )
  }

  @Test func `objects that have no place any more depend on whether there are any`() {
    #expect(
      changes([Entity(name: "Dish")], [])
        == [Found(.entityRemoved, "Dish", .inferred, .mapping)]
    )
    #expect(
      changes([Entity(name: "Dish")], [Entity(name: "Dish", isAbstract: true)])
        == [Found(.abstractChanged, "Dish", .inferred, .mapping)]
    )
  }

  private let date = Attribute(name: "date", type: .date)

  @Test func `a new parent takes a property over`() {
    #expect(
      changes(
        [Entity(name: "Dish", attributes: [date])],
        [
          Entity(name: "Thing", isAbstract: true, attributes: [date]),
          Entity(name: "Dish", superentity: "Thing"),
        ]
      ) == [
        Found(.entityAdded, "Thing", .inferred), Found(.parentChanged, "Dish", .inferred),
        Found(.attributeMoved, "Thing.date", .inferred),
      ]
    )
  }

  @Test func `a property that moves down is lost where it does not go`() {
    let thing = Entity(name: "Thing")
    let found = ModelComparison.changes(
      from: Model(entities: [
        Entity(name: "Thing", attributes: [date]), Entity(name: "Dish", superentity: "Thing"),
        Entity(name: "Table", superentity: "Thing"),
      ]),
      to: Model(entities: [
        thing, Entity(name: "Dish", superentity: "Thing", attributes: [date]),
        Entity(name: "Table", superentity: "Thing"),
      ])
    )
    #expect(found.map(\.kind) == [.attributeMoved, .attributeRemoved])
    #expect(found.map(\.subject) == ["Dish.date", "Thing.date"])
    #expect(found.last?.question?.entities == ["Thing", "Table"])
  }

  @Test func `a property that moves up is new where it was not`() {
    let found = ModelComparison.changes(
      from: Model(entities: [
        Entity(name: "Thing"), Entity(name: "Dish", superentity: "Thing", attributes: [date]),
        Entity(name: "Table", superentity: "Thing"),
      ]),
      to: Model(entities: [
        Entity(name: "Thing", attributes: [date]), Entity(name: "Dish", superentity: "Thing"),
        Entity(name: "Table", superentity: "Thing"),
      ])
    )
    #expect(found.map(\.kind) == [.attributeMoved, .attributeAdded])
    #expect(found.last?.question?.entities == ["Thing", "Table"])
  }

  /// Core Data: “Cannot merge multiple root entity source tables into one destination entity root table”.
  @Test func `hierarchies that had nothing in common are joined beyond Core Data`() {
    #expect(
      changes(
        [Entity(name: "Dish"), Entity(name: "Table")],
        [
          Entity(name: "Thing"), Entity(name: "Dish", superentity: "Thing"),
          Entity(name: "Table", superentity: "Thing"),
        ]
      )
        == [
          Found(.entityAdded, "Thing", .inferred), Found(.parentChanged, "Dish", .inferred),
          Found(.parentChanged, "Table", .inferred),
          Found(.hierarchiesMerged, "Thing", .beyondCoreData),
        ]
    )
    // Taken apart they can be.
    #expect(
      !changes(
        [
          Entity(name: "Thing"), Entity(name: "Dish", superentity: "Thing"),
          Entity(name: "Table", superentity: "Thing"),
        ],
        [Entity(name: "Dish"), Entity(name: "Table")]
      ).contains { $0.kind == .hierarchiesMerged }
    )
  }

  @Test func `a constraint that is new depends on objects that agree`() {
    func dish(_ constraints: [[String]]) -> [Entity] {
      [Entity(name: "Dish", attributes: [date], uniquenessConstraints: constraints)]
    }
    #expect(changes(dish([]), dish([["date"]])) == [Found(.uniquenessAdded, "Dish", .inferred, .mapping)])
    #expect(changes(dish([["date"]]), dish([])) == [Found(.uniquenessRemoved, "Dish", .inferred)])
    #expect(changes(dish([["date"]]), dish([["date"]])) == [])
  }

  @Test func `a constraint that goes down with its entity held before`() {
    let found = changes(
      [
        Entity(name: "Thing", isAbstract: true, attributes: [date], uniquenessConstraints: [["date"]]),
        Entity(name: "Dish", superentity: "Thing"),
      ],
      [Entity(name: "Dish", attributes: [date], uniquenessConstraints: [["date"]])]
    )
    #expect(!found.contains { [.uniquenessAdded, .uniquenessRemoved].contains($0.kind) })
  }
}
