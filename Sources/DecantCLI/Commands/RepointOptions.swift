internal import ArgumentParser
internal import DecantBase
internal import DecantMaintain
internal import DecantPlan
internal import DecantTransfer

/// The options that say where references are to lead.
struct TargetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The table that copy --keep-ids wrote: references follow the objects of that copy.",
      valueName: "file"
    )
  )
  var ids: String?

  @Option(
    help: ArgumentHelp(
      "The store whose objects they are to lead to; without --ids the one they lead to now.",
      valueName: "store"
    )
  )
  var store: String?

  @Flag(help: "Make them the identities of the objects in --store; without --ids that is what happens.")
  var toIdentity = false

  @Option(
    help: ArgumentHelp(
      "What the identity of ENTITY's objects is, where the model does not say; may be repeated.",
      discussion: "Without it: the first attribute that the model says is unique.",
      valueName: "ENTITY: ATTRIBUTE"
    ),
    transform: IdentityArgument.init(argument:)
  )
  var identity: [IdentityArgument] = []

  /// Refuses what does not go together.
  func check() throws {
    if ids == nil, store == nil {
      throw ValidationError("say where the references are to lead: --ids FILE of a copy, or --store STORE")
    }
    if toIdentity, store == nil {
      throw ValidationError("identities come from the store that was copied into: name it with --store")
    }
    if !identity.isEmpty, ids != nil, !toIdentity {
      throw ValidationError("--identity goes with --to-identity")
    }
    if Set(identity.map(\.entity)).count < identity.count {
      throw ValidationError("an entity is named twice")
    }
    if let several = identity.first(where: { $0.names.count > 1 }) {
      throw ValidationError(
        "a reference is one value: name one attribute of \(several.entity), not \(several.names.count)"
      )
    }
  }

  /// Enters what they say into a re-pointing.
  func enter(into repoint: inout Repoint) {
    repoint.idTableFile = ids
    if let store { repoint.lead(to: store) }
    repoint.isToIdentity = toIdentity
    for argument in identity { repoint.identities[argument.entity] = argument.names[0] }
  }
}

/// The options that say how a re-pointing is written.
struct RepointWritingOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Change a store that CloudKit mirrors, which is refused otherwise.",
      discussion: "The mirror may never send what was changed."
    )
  )
  var force = false

  @Option(help: ArgumentHelp("Rows that are read or written together.", valueName: "rows"))
  var batchSize: Int64 = 10_000

  @Flag(help: "Keep a copy of the store as it was, as NAME.backup-1, before it is changed.")
  var backup = false

  @Flag(help: "Say what would be changed, and write nothing.")
  var dryRun = false

  func validate() throws {
    if batchSize < 1 { throw ValidationError("--batch-size must be at least 1") }
  }

  /// Enters what they say into a re-pointing.
  func enter(into repoint: inout Repoint) {
    repoint.writesMirroredStore = force
    repoint.batchSize = batchSize
    repoint.keepsBackup = backup
    repoint.isDryRun = dryRun
  }
}

extension ReferencePlace {
  /// Reads `Entity.attribute`, `Entity.attribute -> Entity` or `Entity.attribute -> .attribute`.
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
        "“\(argument)” does not say of which entity the keys are: 'Note.recipeKey -> Recipe', or "
          + "'Note.objectKey -> .kind' where the attribute kind names it"
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
  /// Reads `attribute = expression` or `Entity.attribute = expression`.
  init(argument: String) throws {
    guard let sign = argument.firstIndex(of: "=") else {
      throw ValidationError("write the value as \"identifier = entityType || '.' || originObjectID\"")
    }
    let name = argument[..<sign].trimmed
    let expression = argument[argument.index(after: sign)...].trimmed
    let parts = name.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard !expression.isEmpty, parts.allSatisfy({ !$0.isEmpty }), !parts.isEmpty else {
      throw ValidationError("“\(argument)” does not say which attribute gets which value")
    }
    self.init(
      entity: parts.count == 2 ? String(parts[0]) : nil,
      attribute: String(parts[parts.count - 1]),
      expression: expression
    )
  }
}
