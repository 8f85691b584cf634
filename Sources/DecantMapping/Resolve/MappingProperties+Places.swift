internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Determines the positions of mapped objects in ordered lists, if the file defines them.
extension MappingProperties {
  /// Returns the name of the position in the inverse's list, in mapping files and in the views of a store.
  static func placeName(_ link: Property) -> String { "\(link.name)_position" }

  /// Returns the to-one links of a part's entity whose inverse is an ordered list.
  func listLinks(of part: MappedPart) -> [Property] {
    let lineage = destination.lineage(of: part.entity)
    let taken = Set(destination.attributeNames(of: part.entity))
    return (destination.relation(of: part.entity)?.columns ?? []).compactMap { column in
      guard case .position(let property) = column.columnRole, lineage.contains(property.entity),
        !taken.contains(MappingProperties.placeName(property))
      else { return nil }
      return property
    }
  }

  /// Orders lists by the values that the file defines, ascending.
  func fillPlaces(_ part: inout MappedPart) throws(DecantError) {
    for link in listLinks(of: part) {
      let name = MappingProperties.placeName(link)
      guard let setting = setting(of: name, part) else { continue }
      guard !setting.isOwnObject else {
        throw mapping.mistake(
          "\(part.entity).\(name) is a position in a list, but $self is an object",
          at: setting.value.mark
        )
      }
      guard part.values[.target(link)] != nil else {
        throw mapping.mistake(
          "\(part.entity).\(link.name) has no target, so its objects have no position in a list",
          at: setting.property.mark,
          remedy: "give its target under \(part.entity): set: { \(link.name): … }"
        )
      }
      let subject = "the position of \(part.entity).\(link.name)"
      let expression = try resolver.expression(setting.value, over: part.source, subject)
      noteUse(of: expression, in: &part)
      part.values[.position(link)] = .place(nil, by: "(\(expression.text)\n)")
    }
  }

  /// Keeps the order of lists whose link is made from several: the order of the first link that has a target.
  ///
  /// - Parameters:
  ///   - column: The link of the destination.
  ///   - names: The source links in order of precedence; if none of them is ordered in the source, the order of the
  ///     source's link of the same name is used, if it has one.
  ///   - part: The objects.
  func keepPlaces(_ column: RelationColumn, of names: [String], in part: inout MappedPart) {
    guard case .target(let link) = column.columnRole,
      destination.relation(of: part.entity)?.column(.position(link)) != nil,
      source.relation(of: part.source)?.keyColumn != nil
    else { return }
    func place(_ name: String) -> RelationColumn? {
      source.column(name, of: part.source) { .position($0) }
    }
    let ordered = names.filter { place($0) != nil }
    switch ordered.count {
    case 0: part.values[.position(link)] = .place(place(link.name), by: nil)
    case 1: part.values[.position(link)] = .place(place(ordered[0]), by: nil)
    default:
      let cases = ordered.map {
        "WHEN \($0.quotedName) IS NOT NULL THEN \("\($0)_position".quotedName)"
      }
      part.values[.position(link)] = .place(nil, by: "(CASE \(cases.joined(separator: " ")) END)")
    }
  }
}
