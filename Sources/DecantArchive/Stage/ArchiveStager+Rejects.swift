internal import DecantBase
internal import DecantStore
internal import DecantJSON
internal import DecantSQLite

/// Objects of a file of rejects.
extension ArchiveStager {
  /// Inserts an object that was rejected; returns why not, where something is still as it was.
  func insert(_ entity: StagedEntity, _ insertion: Statement, _ reject: ArchivedReject) throws -> String? {
    let lacking = reject.lacks.filter { !entity.has($0) }
    guard lacking.isEmpty else {
      return "its line does not give \(lacking.joined(separator: ", "))"
    }
    if holdsBack, let name = entity.lacksLink(among: reject.unreported) { return unreported(name, entity) }
    if holdsBack, let name = entity.requiredLink(among: unfollowed) {
      return unfollowed(name, entity)
    }
    for (name, parameter) in entity.defaults where !entity.has(name) {
      insertion.bind(integer: 1, at: parameter)
    }
    if reject.isOfValues, let place = entity.strictParameter {
      insertion.bind(integer: 1, at: place)
    }
    defer { insertion.reset() }
    do throws(SQLiteError) {
      _ = try insertion.step()
      return nil
    } catch {
      if error.constraint == .unique {
        return RejectCode.unique.message("another rejected object has the same values, \(error.message)")
      }
      guard error.isGeneral, let marked = RejectCode.marked(error.message) else {
        // The tables are those that have refused it.
        guard error.isConstraint else { throw error }
        // In a plain database it is the table that says which links must not be empty.
        if error.constraint == .notNull {
          let isEmpty = { (name: String) in error.message.hasSuffix(".\(name)") }
          if let name = unfollowed.first(where: isEmpty) { return unfollowed(name, entity) }
          if let name = reject.unreported.first(where: isEmpty) { return unreported(name, entity) }
        }
        return RejectCode(error).message(error.message)
      }
      return marked.code.message(marked.text)
    }
  }

  /// The reason where the file does not tell what a link leads to that must not be empty.
  private func unreported(_ name: String, _ entity: StagedEntity) -> String {
    RejectCode.link.message(
      "its link \(entity.name).\(name) is required, but its line gives no target"
        + example(of: name, entity)
    )
  }

  /// The reason where nothing in the file is what a link leads to that must not be empty.
  private func unfollowed(_ name: String, _ entity: StagedEntity) -> String {
    RejectCode.link.message("its link \(entity.name).\(name) is required, but its target is not in the file")
  }

  /// How a line would say where the link `name` leads, where the model tells it.
  private func example(of name: String, _ entity: StagedEntity) -> String {
    guard let model = header?.model.model,
      let target = model.relationship(Property(entity.name, name))?.destination,
      let attributes = model[target]?.attributes,
      let key = attributes.first(where: { $0.type == .string }) ?? attributes.first
    else { return "" }
    let names = [name, target, key.name].map { JSONValue.string($0).text }
    return
      ": add “r”, as in {\(names[0]): {\"ref\": {\"e\": \(names[1]), \"key\": {\(names[2]): …}}}}"
  }
}
