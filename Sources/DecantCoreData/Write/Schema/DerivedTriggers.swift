internal import DecantStore
internal import DecantBase
internal import DecantSQLite

/// The triggers by which Core Data updates a derived attribute.
///
/// Only the two forms seen in stores are made: the count of a to-many relationship whose inverse is to-one, and a value
/// at the other end of a to-one relationship; both between entities that have tables of their own.
struct DerivedTriggers {
  let items: [StoreTemplate.Item]

  /// Creates the triggers; returns `nil` for a derivation of another form.
  init?(of attribute: Attribute, in entity: Entity, names: SchemaNames) {
    let path = Self.path(of: attribute.derivation ?? "")
    guard path.count == 2, entity.superentity == nil,
      let relationship = entity.relationships.first(where: { $0.name == path[0] }),
      let target = names.model[relationship.destination], target.superentity == nil,
      let column = names.column(of: attribute.name, in: entity.name)
    else { return nil }
    let derived = Derived(entity: entity, attribute: attribute.name, column: column, names: names)
    let other = names.table(of: target.name)
    if path[1] == "@count" {
      guard let inverse = names.model.inverse(of: relationship), relationship.isToMany,
        !inverse.isToMany, let link = names.column(of: inverse.name, in: target.name)
      else { return nil }
      items = derived.count(of: other, by: link)
    } else {
      guard !relationship.isToMany,
        let link = names.column(of: relationship.name, in: entity.name),
        let value = names.column(of: path[1], in: target.name),
        target.attributes.contains(where: { $0.name == path[1] })
      else { return nil }
      items = derived.value(value, of: other, by: link)
    }
  }

  /// Splits a derivation into a path; `count:(pages)` is the compiled form of `pages.@count`.
  static func path(of derivation: String) -> [String] {
    let start = "count:("
    guard derivation.hasPrefix(start), derivation.hasSuffix(")") else {
      return derivation.split(separator: ".").map(String.init)
    }
    return [String(derivation.dropFirst(start.count).dropLast()), "@count"]
  }
}

/// A derived attribute, and the parts of its triggers.
private struct Derived {
  let entity: Entity
  let attribute: String
  let column: String
  let names: SchemaNames

  private var table: String { names.table(of: entity.name) }

  /// Returns the triggers of a count: rows are inserted, deleted, or change their owner.
  func count(of other: String, by link: String) -> [StoreTemplate.Item] {
    let (name, link) = (column.sqlName, link.sqlName)
    func step(_ event: String, on word: String, of row: String, _ value: String) -> StoreTemplate.Item {
      trigger(
        "PARAMETER_\(event)",
        on: other,
        after: word,
        condition: " WHEN (\(row).\(link) NOT NULL)",
        setting: value,
        where: "Z_PK = \(row).\(link)"
      )
    }
    let update = "UPDATE OF \(link)"
    return [
      step("INSERT", on: "INSERT", of: "NEW", "IFNULL(\(name), 0) + 1"),
      step("UPDATE_INCREMENT", on: update, of: "NEW", "\(name) + 1"),
      step("UPDATE_DECREMENT", on: update, of: "OLD", "\(name) - 1"),
      step("DELETE", on: "DELETE", of: "OLD", "\(name) - 1"),
      trigger(
        "SOURCE_INSERT",
        on: table,
        after: "INSERT",
        setting:
          "(SELECT IFNULL(COUNT(\(link)), 0) FROM \(other.sqlName) WHERE \(link) = NEW.Z_PK)",
        where: "Z_PK = NEW.Z_PK",
        isNew: true
      ),
    ]
  }

  /// Returns the triggers of a value elsewhere: the value changes, or the link to it does.
  func value(_ value: String, of other: String, by link: String) -> [StoreTemplate.Item] {
    let (value, link) = (value.sqlName, link.sqlName)
    let lookedUp = "(SELECT \(value) FROM \(other.sqlName) WHERE Z_PK = NEW.\(link))"
    return [
      trigger("SOURCE_INSERT", on: table, after: "INSERT", setting: lookedUp, where: "Z_PK = NEW.Z_PK", isNew: true),
      trigger("SOURCE_UPDATE", on: table, after: "UPDATE OF \(link)", setting: lookedUp, where: "Z_PK = NEW.Z_PK"),
      trigger(
        "PARAMETER_INSERT",
        on: other,
        after: "INSERT",
        setting: "NEW.\(value)",
        where: "\(link) = NEW.Z_PK",
        isNew: true
      ),
      trigger(
        "PARAMETER_UPDATE",
        on: other,
        after: "UPDATE OF \(value)",
        setting: "NEW.\(value)",
        where: "\(link) = NEW.Z_PK"
      ),
    ]
  }

  /// Returns one trigger, which sets the value and tells the framework which objects changed.
  private func trigger(
    _ event: String,
    on table: String,
    after word: String,
    condition: String = "",
    setting value: String,
    where rows: String,
    isNew: Bool = false
  ) -> StoreTemplate.Item {
    let name = "Z_DA_\(table)_\(entity.name)_\(attribute)_\(event)"
    let own = self.table
    let function =
      "NSCoreDataDATrigger\(isNew ? "Insert" : "")UpdatedAffectedObjectValue"
      + "(\(own.sqlText), Z_ENT, Z_PK, \(attribute.sqlText), \(column.sqlName))"
    return StoreTemplate.Item(
      type: "trigger",
      name: name,
      table: table,
      sql: "CREATE TRIGGER \(name.sqlName) AFTER \(word) ON \(table.sqlName) FOR EACH ROW"
        + "\(condition) BEGIN UPDATE \(own.sqlName) SET \(column.sqlName) = \(value) WHERE \(rows); "
        + "SELECT \(function) FROM \(own.sqlName) WHERE \(rows); END"
    )
  }
}
