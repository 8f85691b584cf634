internal import ArgumentParser
internal import DecantBase
internal import DecantMaintain
internal import DecantPlan
internal import DecantTransfer

/// The options for the places of references.
struct ReferenceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The attribute that contains references; may be repeated. For keys, add their entity: 'Note.recipeKey -> Recipe'.",
      discussion: .detail("Or add the attribute of the same object that names the entity: 'Note.objectKey -> .kind'."),
      valueName: "ENTITY.ATTRIBUTE"
    ),
    completion: .property,
    transform: ReferencePlace.init(argument:)
  )
  var at: [ReferencePlace] = []

  @Option(
    help: ArgumentHelp(
      "Also set this attribute to an SQL expression over the object's attributes; may be repeated.",
      discussion: .detail("In the expression, the attribute that --at names already has its new value."),
      valueName: "ATTRIBUTE = EXPRESSION"
    ),
    transform: SetRule.init(argument:)
  )
  var `set`: [SetRule] = []

  @Option(
    help: ArgumentHelp(
      "The model of a store that does not contain its own: .xcdatamodeld, .momd, .mom, or another store; may be repeated.",
      valueName: "model"
    ),
    completion: .file()
  )
  var model: [String] = []

  func validate() throws {
    if at.isEmpty {
      throw ValidationError("name the attributes that contain references: --at 'Entity.attribute'")
    }
  }

  /// Adds these options to a repointing, whose places are already set.
  func enter(into repoint: inout Repoint) {
    repoint.sets = `set`
    repoint.models = model
  }
}

/// The options for the targets of references.
struct TargetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The file that copy or migrate --keep-ids wrote: update references to the new keys of that copy.",
      valueName: "file"
    ),
    completion: .file()
  )
  var ids: String?

  @Option(
    help: ArgumentHelp(
      "The store that references will point to; without --ids, the store they point to now.",
      valueName: "store"
    ),
    completion: .file()
  )
  var store: String?

  @Flag(
    help:
      "Replace references with the identities of the objects in --store; the default without --ids."
  )
  var toIdentity = false

  @Option(
    help: ArgumentHelp(
      "The attribute that identifies the objects of ENTITY; may be repeated.",
      discussion: .detail("The default is the first attribute that the model declares unique."),
      valueName: "ENTITY: ATTRIBUTE"
    ),
    completion: .entityAndAttributes,
    transform: IdentityArgument.init(argument:)
  )
  var identity: [IdentityArgument] = []

  /// Throws for options that cannot be combined.
  func check() throws {
    if ids == nil, store == nil {
      throw ValidationError("name what the references refer to: --ids FILE of a copy, or --store STORE")
    }
    if toIdentity, store == nil {
      throw ValidationError("identities come from the store that was copied into: name it with --store")
    }
    if !identity.isEmpty, ids != nil, !toIdentity {
      throw ValidationError("--identity requires --to-identity")
    }
    if Set(identity.map(\.entity)).count < identity.count {
      throw ValidationError("--identity names an entity twice: keep one")
    }
    if let several = identity.first(where: { $0.names.count > 1 }) {
      throw ValidationError(
        "a reference is one value: name one attribute of \(several.entity), not \(several.names.count)"
      )
    }
  }

  /// Adds these options to a repointing.
  func enter(into repoint: inout Repoint) {
    repoint.idTableFile = ids
    if let store { repoint.lead(to: store) }
    repoint.isToIdentity = toIdentity
    for argument in identity { repoint.identities[argument.entity] = argument.names[0] }
  }
}

/// The options for writing repointed references.
struct RepointWritingOptions: ParsableArguments {
  @Flag(help: "Print what would be changed, and write nothing.")
  var dryRun = false

  @Flag(help: "First keep the store as NAME.backup-1.")
  var backup = false

  @Option(help: ArgumentHelp("How many rows to read or write together.", valueName: "rows", visibility: .rare))
  var batchSize: Int64 = 10_000

  @Flag(
    help: ArgumentHelp(
      "Change a store even if CloudKit mirrors it.",
      discussion: .detail("The mirror may never send the changes."),
      visibility: .rare
    )
  )
  var force = false

  func validate() throws {
    if batchSize < 1 { throw ValidationError("--batch-size must be at least 1") }
  }

  /// Adds these options to a repointing.
  func enter(into repoint: inout Repoint) {
    repoint.writesMirroredStore = force
    repoint.batchSize = batchSize
    repoint.keepsBackup = backup
    repoint.isDryRun = dryRun
  }
}

extension ReferencePlace {
  /// Parses `Entity.attribute`, `Entity.attribute -> Entity` or `Entity.attribute -> .attribute`.
  init(argument: String) throws {
    guard let arrow = argument.firstRange(of: "->") else {
      self.init(try ReferencePlace.property(argument[...]))
      return
    }
    let property = try ReferencePlace.property(argument[..<arrow.lowerBound])
    let target = argument[arrow.upperBound...].trimmed
    let own = property.entity + "."
    switch target {
    case _ where target.hasPrefix(".") && target.count > 1:
      self.init(property, to: .attribute(String(target.dropFirst())))
    case _ where target.hasPrefix(own) && target.count > own.count:
      self.init(property, to: .attribute(String(target.dropFirst(own.count))))
    case _ where !target.isEmpty && target != ".": self.init(property, to: .entity(target))
    default:
      throw ValidationError(
        "“\(argument)” does not name the entity of the keys: write 'Note.recipeKey -> Recipe', or "
          + "'Note.objectKey -> .kind' if the attribute kind names it"
      )
    }
  }

  private static func property(_ text: Substring) throws -> Property {
    let name = text.trimmed
    guard let point = name.firstIndex(of: "."), point > name.startIndex,
      name.index(after: point) < name.endIndex
    else {
      throw ValidationError("write the place as Entity.attribute, like QSSyncedEntity.originObjectID")
    }
    return Property(String(name[..<point]), String(name[name.index(after: point)...]))
  }
}

extension SetRule {
  /// Parses `attribute = expression` or `Entity.attribute = expression`.
  init(argument: String) throws {
    guard let sign = argument.firstIndex(of: "=") else {
      throw ValidationError("write the value as \"identifier = entityType || '.' || originObjectID\"")
    }
    let name = argument[..<sign].trimmed
    let expression = argument[argument.index(after: sign)...].trimmed
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard !expression.isEmpty, parts.allSatisfy({ !$0.isEmpty }), !parts.isEmpty else {
      throw ValidationError("“\(argument)” has no attribute or no expression: write 'attribute = expression'")
    }
    self.init(
      entity: parts.count == 2 ? String(parts[0]) : nil,
      attribute: String(parts[parts.count - 1]),
      expression: expression
    )
  }
}
