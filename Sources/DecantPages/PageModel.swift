internal import DecantBase
internal import DecantStore

/// The view of a store's model for a page: a shape for each entity, and which of them is the main one.
struct PageModel {
  let model: Model
  let layout: Layout
  /// The shapes by the names of their entities.
  private(set) var shapes: [String: PageShape] = [:]
  /// The SELECT that fills each table of links.
  let linkSelects: [String]

  /// Determines how the objects of each entity are shown, without the properties in `leavingOut`.
  init(model: Model, layout: Layout, schema: String, leavingOut: Set<Property> = []) {
    self.model = model
    self.layout = layout
    var edges = PageEdges(model: model, layout: layout, schema: schema, leavingOut: leavingOut)
    for (place, relation) in layout.relations.enumerated() {
      for entity in relation.entities.map(\.name) + [relation.root] where shapes[entity] == nil {
        var shape = PageShape(
          entity,
          in: place,
          model: model,
          layout: layout,
          leavingOut: leavingOut,
          edges: edges.edges(of: entity)
        )
        shape.recipe = RecipeShape(shape)
        shapes[entity] = shape
      }
    }
    linkSelects = edges.selects
    settleOwners()
  }

  /// Makes recipes own their ingredients and steps, whatever the model says, and removes owners from recipes that were
  /// only inferred to be parts.
  private mutating func settleOwners() {
    let recipes = Set(shapes.values.filter { $0.recipe != nil }.map(\.relation))
    for (entity, shape) in shapes {
      var edges = shape.edges
      for place in edges.indices {
        if place == shape.recipe?.ingredients || place == shape.recipe?.steps {
          // Foods that many recipes share remain independent.
          edges[place].isOwning = edges[place].isOwning || !edges[place].isShared
        } else if model.isFromTables, recipes.contains(edges[place].target) {
          edges[place].isOwning = false
        }
      }
      shapes[entity]?.edges = edges
    }
  }

  /// Sets the unit of the time columns `columns` of `relation`.
  mutating func settle(_ columns: Set<Int>, as unit: TimeUnit, in relation: Int) {
    for (entity, shape) in shapes where shape.relation == relation {
      for column in columns.intersection(shape.intervals) { shapes[entity]?.units[column] = unit }
    }
  }

  /// Returns the shape of objects of `relation` with the entity `entity`, or of its root if the table does not state
  /// the entity or states an unknown one.
  func shape(of entity: String?, in relation: Int) -> PageShape? {
    entity.flatMap { shapes[$0] } ?? shapes[layout.relations[relation].root]
  }

  /// Returns the shapes of the concrete entities of `relation`.
  func shapes(in relation: Int) -> [PageShape] {
    let entities = layout.relations[relation].entities.map(\.name)
    return (entities.isEmpty ? [layout.relations[relation].root] : entities)
      .compactMap { shapes[$0] }
  }

  /// Returns the relations in which objects of `relation` own parts.
  func parts(of relation: Int) -> Set<Int> {
    Set(shapes(in: relation).flatMap(\.edges).filter(\.isOwning).map(\.target))
  }

  /// Returns the relations whose objects own objects of `relation`, except itself.
  func owners(of relation: Int) -> Set<Int> {
    Set(layout.relations.indices.filter { $0 != relation && parts(of: $0).contains(relation) })
  }

  /// The relations in their order on a page: owners before their parts, relations with parts before those without,
  /// pictures last; otherwise in the model's order.
  var order: [Int] {
    func weight(_ relation: Int) -> Int {
      let shapes = shapes(in: relation)
      return (owners(of: relation).isEmpty ? 0 : 4) + (parts(of: relation).isEmpty ? 2 : 0)
        + (shapes.contains(where: \.isPicture) ? 1 : 0)
    }
    return layout.relations.indices.sorted { (weight($0), $0) < (weight($1), $1) }
  }

  /// Returns the relation of the model's main entity, among those that hold objects.
  ///
  /// That is the one with recipes; otherwise, of those that are not parts of others, the one that owns parts in most
  /// others and is the target of most others.
  func main(among filled: Set<Int>) -> Int? {
    func score(_ relation: Int) -> Int {
      let shapes = shapes(in: relation)
      let leading = layout.relations.indices.filter { other in
        other != relation
          && self.shapes(in: other).contains { $0.edges.contains { $0.target == relation } }
      }
      return (shapes.contains { $0.recipe != nil } ? 1_000_000 : 0)
        + (owners(of: relation).isEmpty ? 10_000 : 0)
        + (shapes.contains { $0.title != nil && !$0.isPicture } ? 1_000 : 0)
        + 3 * parts(of: relation).count + leading.count
    }
    let candidates = layout.relations.indices.filter { filled.contains($0) }
    // Of equally good ones, the first in the model's order.
    return candidates.max { (score($0), -$0) < (score($1), -$1) }
  }
}
