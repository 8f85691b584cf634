internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantVersions
internal import DecantSQLite

/// Guesses for the attributes of one destination entity.
struct SuggestedAttributes {
  let source: MappingResolver.ModelSide
  let destination: MappingResolver.ModelSide
  /// The contents of the source's objects, by column role.
  let profiles: [ColumnRole: ValueProfile]
  /// Whether the source has an identifier, from which identifiers of its objects can be made.
  let hasIdentifier: Bool

  /// An attribute of one side, or a leaf of a composite attribute.
  private struct Side {
    let property: Property
    let column: RelationColumn
    /// The attribute in the model; `nil` for a leaf.
    let attribute: Attribute?

    var name: String { property.name }
    var type: AttributeType { column.type ?? .undefined }
    var isRequired: Bool { attribute.map { !$0.isOptional } ?? false }
    var hasDefault: Bool { attribute?.defaultValue?.sqlLiteral != nil }
    var isDerived: Bool { attribute?.isDerived == true || column.isGenerated }
  }

  /// Adds the necessary attribute settings to `rule`.
  func fill(_ rule: inout SuggestedRule) {
    let names = [rule.entity, rule.source]
    let theirs = sides(rule.source, source)
    let mine = sides(rule.entity, destination).filter { !$0.isDerived }
    var free: [Side] = []
    for side in mine {
      guard let own = theirs.first(where: { $0.name == side.name }) else {
        free.append(side)
        continue
      }
      fillByName(side, own, in: &rule)
    }
    var left = theirs.filter { own in !mine.contains { $0.name == own.name } && !own.isDerived }
    pair(&free, &left, in: &rule) { side, own in
      let isSame = own.attribute.flatMap { side.attribute?.continues($0) } == true
      return isSame ? (1, "the model gives this as its previous name") : nil
    }
    pair(&free, &left, in: &rule) { side, own in
      NameLikeness(side.name, own.name, prefixes: names)
        .map { ($0, $0.reason) }
    }
    pairBySort(&free, &left, in: &rule)
    for side in free {
      if side.hasDefault {
        rule.defaulted.append(side.name)
      } else if side.isRequired {
        fillNeeded(side, in: &rule)
      } else {
        rule.unfilled.append(side.name)
      }
    }
  }

  private func sides(_ entity: String, _ side: MappingResolver.ModelSide) -> [Side] {
    guard let relation = side.relation(of: entity) else { return [] }
    let lineage = side.lineage(of: entity)
    return relation.columns.compactMap { column in
      guard case .attribute(let property) = column.columnRole, lineage.contains(property.entity) else {
        return nil
      }
      let attribute = side.model[property.entity]?.attributes.first { $0.name == property.name }
      return Side(property: property, column: column, attribute: attribute)
    }
  }

  private func profile(_ own: Side) -> ValueProfile {
    profiles[own.column.columnRole] ?? ValueProfile()
  }

  // MARK: Equal names

  /// Adds settings for two attributes of the same name that are not converted automatically.
  private func fillByName(_ side: Side, _ own: Side, in rule: inout SuggestedRule) {
    guard own.type != side.type else { return fillNulls(side, own, in: &rule) }
    let change = "\(own.type.name) here, \(side.type.name) there"
    guard let value = converted(own, to: side) else {
      let unfit = profile(own).unfitCount(for: side.type)
      let isReadable = !own.column.isExternal
      if isReadable, let forced = side.type.forced(own.name.quotedName) {
        let misfits = "\(unfit.counted("value")) \(unfit == 1 ? "does" : "do") not fit"
        rule.set(side.name, needed(forced, side), guess: "\(change); \(misfits)")
      } else if side.isRequired, !side.hasDefault {
        fillNeeded(side, in: &rule, besides: change)
      } else {
        rule.set(side.name, "NULL", guess: "\(change), which cannot be converted")
      }
      return
    }
    if value != own.name.quotedName {
      rule.set(side.name, needed(value, side), guess: change)
    } else {
      rule.remarks.append("\(side.name): \(change)")
      fillNulls(side, own, in: &rule)
    }
  }

  /// Adds a replacement for null in a required attribute.
  private func fillNulls(_ side: Side, _ own: Side, in rule: inout SuggestedRule) {
    guard side.isRequired, !side.hasDefault, !own.isRequired, !own.column.isExternal else { return }
    rule.set(
      side.name,
      needed(own.name.quotedName, side),
      guess: "is required, but \(profile(own).nullCount.counted("object")) here have no value"
    )
  }

  /// Returns `value`, with a replacement for null if the attribute is required.
  private func needed(_ value: String, _ side: Side) -> String {
    guard side.isRequired, !side.hasDefault else { return value }
    let other =
      side.type.neutralValue ?? "uuid_value(printf('00000000-0000-4000-8000-%012x', \"_id\"))"
    return "coalesce(\(value), \(other))"
  }

  /// Returns the SQL that converts the values of `own` to those of `side`; `nil` if some do not fit.
  private func converted(_ own: Side, to side: Side) -> String? {
    let name = own.name.quotedName
    if destination.model.isFromTables {
      // A text column would convert numbers to text, and the copy would not be equal.
      let isNumber = [.integer, .real, .boolean].contains(own.type.sort)
      return isNumber && side.type.sort == .text ? "CAST(\(name) AS TEXT)" : name
    }
    if own.type == side.type { return name }
    guard !own.column.isExternal else { return nil }
    if own.type.sort == .uuid, side.type.sort == .text { return "uuid_text(\(name))" }
    if own.type.sort == .date, side.type.sort == .text { return "date_text(\(name))" }
    let isOfNumbers = [own, side].contains { [.integer, .real, .boolean].contains($0.type.sort) }
    if isOfNumbers, !source.model.isFromTables, (own.type.sort == .date) != (side.type.sort == .date) { return nil }
    return profile(own).unfitCount(for: side.type) == 0 ? name : nil
  }

  // MARK: Different names

  /// Pairs the most likely of the remaining attributes of both sides.
  private func pair<Likeness: Comparable>(
    _ free: inout [Side],
    _ left: inout [Side],
    in rule: inout SuggestedRule,
    _ likeness: (Side, Side) -> (Likeness, String)?
  ) {
    let pairs = Guess<Likeness>.takePairs(&free, &left, weight: { profile($0).count }) {
      side,
      own in
      isFitting(own, side) ? likeness(side, own) : nil
    }
    for (side, own, reason) in pairs { take(own, for: side, reason, in: &rule) }
  }

  /// Pairs attributes that are the only ones of their sort on both sides.
  private func pairBySort(_ free: inout [Side], _ left: inout [Side], in rule: inout SuggestedRule) {
    let sorts: [ValueSort] = [.uuid, .date, .uri, .text, .integer, .real, .bytes]
    for sort in sorts {
      let mine = free.indices.filter { free[$0].type.sort == sort }
      let theirs = left.indices.filter { index in
        (profile(left[index]).textSort ?? left[index].type.sort) == sort
          && profile(left[index]).count > 0
      }
      guard mine.count == 1, theirs.count == 1, isFitting(left[theirs[0]], free[mine[0]]) else {
        continue
      }
      let (side, own) = (free.remove(at: mine[0]), left.remove(at: theirs[0]))
      let same = own.type.sort == sort ? "the same type" : "values of the same sort"
      take(own, for: side, "\(same), and no other is left", in: &rule)
    }
  }

  /// Returns whether the values of `own` may be meant for `side`: all of them fit, and the sort is the same.
  private func isFitting(_ own: Side, _ side: Side) -> Bool {
    guard converted(own, to: side) != nil else { return false }
    // The replacement for null would not be unique.
    if side.isRequired, isUnique(side), profile(own).nullCount > 0 { return false }
    // An expression, needed to replace null in a required attribute, cannot read external files.
    if own.column.isExternal, side.column.isExternal == false, destination.model.isFromTables {
      return true
    }
    let numbers: Set<ValueSort> = [.integer, .real, .boolean]
    let texts: Set<ValueSort> = [.text, .uri, .other]
    let (one, other) = (own.type.sort, side.type.sort)
    return one == other || profile(own).textSort == other
      || (numbers.contains(one) && numbers.contains(other))
      || (texts.contains(one) && texts.contains(other)) || other == .other || one == .other
      || (one == .uuid && other == .text)
  }

  private func take(_ own: Side, for side: Side, _ reason: String, in rule: inout SuggestedRule) {
    let value = converted(own, to: side) ?? own.name.quotedName
    let needsValue =
      side.isRequired && !side.hasDefault && !own.isRequired && !own.column.isExternal
    let isPlain = value == own.name.quotedName && !needsValue
    rule.set(side.name, isPlain ? own.name.plainestName : needsValue ? needed(value, side) : value, guess: reason)
  }

  /// Returns whether its values must be unique.
  private func isUnique(_ side: Side) -> Bool {
    destination.model.lineage(of: side.property.entity).contains {
      $0.uniquenessConstraints.contains([side.name])
    }
  }

  // MARK: No counterpart

  /// Gives a value to a required attribute.
  private func fillNeeded(_ side: Side, in rule: inout SuggestedRule, besides: String? = nil) {
    let reason = (besides.map { "\($0), and " } ?? "") + "is required"
    let isUnique = isUnique(side)
    let sort = side.type.sort
    if sort == .uuid || (isUnique && (sort == .text || sort == .other)) {
      rule.generated.append(
        SuggestedRule.Line(
          name: side.name,
          value: hasIdentifier ? "uuid5" : "uuid4",
          comment: "guess: \(reason), and each object gets a different one"
        )
      )
    } else if isUnique, sort == .integer || sort == .real {
      rule.set(side.name, "\"\(EntityView.key)\"", guess: "\(reason), and each object gets a different one")
    } else {
      rule.set(side.name, side.type.neutralValue ?? "NULL", guess: reason)
    }
  }
}

extension String {
  /// The name as an expression, without quotes if possible.
  var plainestName: String { plainName == self ? self : quotedName }
}
