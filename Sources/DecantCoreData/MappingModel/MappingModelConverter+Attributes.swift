internal import DecantBase
internal import DecantPlan
internal import DecantSQLite

/// Converting the mappings of attributes.
extension MappingModelConverter {
  /// Sets the attributes of a part's entity, in the order of the model.
  mutating func fillAttributes(_ index: Int) {
    var part = parts[index]
    let terms = SourceTerms(model: source, entity: part.source)
    for attribute in destination.attributes(of: part.destination)
    where !attribute.isTransient && attribute.type != .undefined {
      let filled = part.mapping.attributes.first { $0.name == attribute.name }
      do throws(SourceTerms.Refusal) {
        guard case .expression(let expression)? = filled?.value else {
          try leave(attribute, &part)
          continue
        }
        do throws(SourceTerms.Refusal) {
          try fill(attribute, with: expression, terms, &part)
        } catch {
          throw SourceTerms.Refusal("by “\(expression)”: \(error.reason)")
        }
      } catch {
        refuse(part.mapping, "sets \(part.destination).\(attribute.name) \(error.reason)")
      }
    }
    parts[index].rule = part.rule
  }

  /// Gives an attribute the default of the destination's model, even if the source has one of the same name.
  private func leave(_ attribute: Attribute, _ part: inout Part) throws(SourceTerms.Refusal) {
    // A derived attribute is set by its derivation.
    guard !attribute.isDerived else { return }
    guard attribute.isOptional || attribute.defaultValue != nil else {
      throw SourceTerms.Refusal("to nothing, but a value is required")
    }
    if let own = source.attribute(attribute.name, of: part.source) {
      part.rule.dropped += own.storedNames.map { Self.word($0) }
    }
  }

  private mutating func fill(
    _ attribute: Attribute,
    with expression: MappingExpression,
    _ terms: SourceTerms,
    _ part: inout Part
  ) throws(SourceTerms.Refusal) {
    if case .constant(let value) = expression {
      guard value != .null else {
        guard attribute.isOptional else { throw SourceTerms.Refusal("a value is required") }
        return set(attribute, to: "NULL", &part)
      }
      return set(attribute, to: try SourceTerms.literal(value, for: attribute.type), &part)
    }
    guard let names = expression.sourcePath, let first = names.first else {
      throw SourceTerms.Refusal("only attributes of $source and constants are supported")
    }
    if names.count == 1, let own = source.attribute(first, of: part.source) {
      guard !own.isTransient, own.type != .undefined else {
        throw SourceTerms.Refusal("a store does not hold \(part.source).\(first)")
      }
      let declaring = terms.declaring(first, part.source) ?? part.source
      for name in own.storedNames { note(Property(declaring, name)) }
      // An attribute of the same name is copied unchanged, including composite and external ones.
      guard first != attribute.name else { return }
      if case .composite = own.type { throw SourceTerms.Refusal("it is composite") }
      return set(attribute, to: first.quotedName, &part)
    }
    let term = try terms.term(names)
    guard case .attribute = term.end else {
      throw SourceTerms.Refusal("it is an object, not a value")
    }
    for property in term.reads { note(property) }
    set(attribute, to: term.sql, &part)
  }

  private func set(_ attribute: Attribute, to value: String, _ part: inout Part) {
    part.rule.settings.append(Mapping.Setting(Self.word(attribute.name), Self.word(value)))
  }

  /// Records that a property of the source is read.
  mutating func note(_ property: Property) { reads.insert(property) }
}

extension Attribute {
  /// The names of the attribute in a store: its own or, for a composite one, those of its leaves, `address.city`.
  var storedNames: [String] {
    guard !isTransient, type != .undefined else { return [] }
    guard case .composite(let leaves) = type else { return [name] }
    return leaves.flatMap(\.storedNames).map { "\(name).\($0)" }
  }
}
