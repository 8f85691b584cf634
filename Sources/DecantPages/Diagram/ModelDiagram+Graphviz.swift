internal import DecantBase
internal import DecantPlan

extension ModelDiagram {
  /// The graph in the language of Graphviz: entities as boxes, crow's feet at the ends of relationships.
  public var graphviz: String {
    var lines = [
      "digraph model {",
      #"  graph [rankdir=LR, nodesep=0.5, ranksep=1.2, bgcolor="white", fontname="Helvetica"];"#,
      #"  node [shape=plain, fontname="Helvetica", fontsize=12];"#,
      ##"  edge [fontname="Helvetica", fontsize=10, color="#6b655c", fontcolor="#1d1b18", dir=both];"##,
    ]
    for (place, entity) in entities.enumerated() {
      lines.append("  e\(place) [label=<\(ModelDiagram.box(entity, count: count(of: entity)))>];")
    }
    for (place, entity) in entities.enumerated() {
      guard let parent = entity.superentity.flatMap({ places[$0] }) else { continue }
      lines.append("  e\(place) -> e\(parent) [arrowhead=onormal, arrowtail=none, style=dashed];")
    }
    for edge in edges {
      let head = ModelDiagram.arrow(edge.forward.relationship)
      let tail = edge.backward.map { ModelDiagram.arrow($0.relationship) } ?? "none"
      let label = words(of: edge).map(HTMLText.attribute).joined(separator: "<br/>")
      lines.append(
        "  e\(edge.source) -> e\(edge.destination) [arrowhead=\(head), arrowtail=\(tail), label=<\(label)>];")
    }
    return (lines + ["}", ""]).joined(separator: "\n")
  }

  private static func box(_ entity: EntityInspection, count: String) -> String {
    let name = HTMLText.attribute(entity.name)
    let shown = entity.isAbstract ? "<i>\(name)</i>" : "<b>\(name)</b>"
    return ##"<table border="1" cellborder="0" cellspacing="0" cellpadding="6" color="#a69f93" bgcolor="#fffdf9">"##
      + ##"<tr><td bgcolor="#f4efe6">\##(name.isEmpty ? " " : shown)</td></tr>"##
      + "<tr><td>\(count)</td></tr></table>"
  }

  /// Returns the arrow for the number of objects a link may lead to: at most one, exactly one, many, or at least one.
  private static func arrow(_ relationship: ModelRelationship) -> String {
    switch (relationship.isToMany, relationship.isOptional) {
    case (true, true): "crowodot"
    case (true, false): "crowtee"
    case (false, true): "teeodot"
    case (false, false): "teetee"
    }
  }
}
