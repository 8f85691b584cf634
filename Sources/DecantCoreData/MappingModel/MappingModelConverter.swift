internal import DecantBase
internal import DecantPlan
internal import DecantSQLite

/// Converts the entity mappings of a mapping model to rules of a mapping, and collects obstacles.
struct MappingModelConverter {
  /// An entity mapping that makes objects, and its rule.
  struct Part {
    let mapping: MappingModel.EntityMapping
    /// The concrete entities of source and destination.
    let source: String
    let destination: String
    var rule: Mapping.EntityRule
    /// The mapped relationships, as key paths from the source object.
    var paths: [String: [String]] = [:]
  }

  let model: MappingModel
  let source: Model
  let destination: Model
  let file: Mapping?
  var parts: [Part] = []
  /// The source properties that are read.
  var reads: Set<Property> = []
  /// The obstacles, each a sentence without a full stop.
  var refusals: [String] = []

  init(_ model: MappingModel, _ source: Model, _ destination: Model, _ file: Mapping?) {
    self.model = model
    self.source = source
    self.destination = destination
    self.file = file
  }

  mutating func conversion() throws(DecantError) -> MappingModelConversion {
    for mapping in model.entityMappings where !isCovered(mapping) { begin(mapping) }
    for index in parts.indices { fillAttributes(index) }
    fillRelationships()
    guard refusals.isEmpty else { throw refusal }
    return result
  }

  /// Returns whether the mapping file has a rule for the entity.
  func isCovered(_ mapping: MappingModel.EntityMapping) -> Bool {
    file?.entities.contains { rule in
      if let name = mapping.destinationName { return rule.name.text == name }
      return rule.sources.contains { $0.text == mapping.sourceName }
    } ?? false
  }

  /// The position of a rule that is not from a file.
  static let mark = Mapping.Mark(line: 1, column: 1)

  static func word(_ text: String) -> Mapping.Word { Mapping.Word(text, mark) }

  /// Records an obstacle.
  mutating func refuse(_ mapping: MappingModel.EntityMapping, _ reason: String) {
    refusals.append("\(mapping.name) \(reason)")
  }

  /// Begins the rule of an entity mapping, if it turns objects into objects.
  private mutating func begin(_ mapping: MappingModel.EntityMapping) {
    if let policy = mapping.customPolicy {
      // The expressions are used by the policy class in an unknown way, so they are not reported as well.
      return refuse(mapping, "is performed by the app's own class \(policy)")
    }
    let unknown = mapping.unknown + (mapping.attributes + mapping.relationships).flatMap(\.unknown)
    for name in Set(unknown).sorted() {
      refuse(mapping, "has “\(name)”, which decant does not know")
    }
    guard let sourceName = mapping.sourceName, let destinationName = mapping.destinationName else {
      return
    }
    guard mapping.kind != .add, mapping.kind != .remove else {
      return refuse(mapping, "is of type \(mapping.kind.rawValue), but names two entities")
    }
    guard let from = source[sourceName], let to = destination[destinationName] else {
      return refuse(mapping, "names entities of other models")
    }
    // An abstract entity has no objects of its own.
    guard !from.isAbstract else { return }
    guard !to.isAbstract else {
      return refuse(mapping, "has the destination \(destinationName), which is abstract")
    }
    var rule = Mapping.EntityRule(Self.word(destinationName))
    rule.sources = [Self.word(sourceName)]
    do throws(SourceTerms.Refusal) {
      rule.condition = try condition(of: mapping, sourceName).map { Self.word($0) }
    } catch {
      refuse(mapping, error.reason)
    }
    parts.append(Part(mapping: mapping, source: sourceName, destination: destinationName, rule: rule))
  }

  /// Returns the condition of a rule that selects the objects; `nil` for all objects of exactly the entity.
  private func condition(of mapping: MappingModel.EntityMapping, _ entity: String)
    throws(SourceTerms.Refusal) -> String?
  {
    guard let expression = mapping.sourceExpression else {
      throw SourceTerms.Refusal("does not say which objects of \(entity) it selects")
    }
    guard case .fetch(.function(on: .manager, let selector, let arguments), _, false) = expression,
      arguments.count >= 2, arguments[0].text == entity, let text = arguments[1].text
    else { throw SourceTerms.Refusal("selects objects by “\(expression)”") }
    switch (selector, arguments.count) {
    case (MappingExpression.Selector.fetch, 2): break
    case (MappingExpression.Selector.fetchWithSubentities, 3):
      let below = source.family(of: entity).dropFirst().filter { !$0.isAbstract }.map(\.name)
      guard arguments[2] == .constant(.integer(0)) || below.isEmpty else {
        throw SourceTerms.Refusal("also selects objects of \(below.joined(separator: ", "))")
      }
    default: throw SourceTerms.Refusal("selects objects by “\(expression)”")
    }
    let predicate: MappingPredicate
    do throws(PredicateText.Mistake) {
      predicate = try PredicateText.predicate(text)
    } catch {
      throw SourceTerms.Refusal("selects objects by the predicate “\(text)”: \(error)")
    }
    do throws(SourceTerms.Refusal) {
      return try PredicateSQL(terms: SourceTerms(model: source, entity: entity))
        .condition(predicate)
    } catch {
      throw SourceTerms.Refusal("selects objects by the predicate “\(text)”: \(error.reason)")
    }
  }
}
