internal import DecantBase
internal import DecantStore
internal import DecantJSON
internal import DecantSQLite

/// Objects of a file of rejects.
extension ArchiveStager {
  /// Inserts an object that was rejected; returns the reason if it is still invalid.
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
        // The constraints are those that rejected the object before.
        guard error.isConstraint else { throw error }
        // In a plain database the table determines which links are required.
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

  /// Returns the reason for a required link whose target is not given in the file.
  private func unreported(_ name: String, _ entity: StagedEntity) -> String {
    RejectCode.link.message(
      "its link \(entity.name).\(name) is required, but its line gives no target"
        + example(of: name, entity)
    )
  }

  /// Returns the reason for a required link whose target is not in the file.
  private func unfollowed(_ name: String, _ entity: StagedEntity) -> String {
    RejectCode.link.message("its link \(entity.name).\(name) is required, but its target is not in the file")
  }

  /// Returns an example of a line with the target of the link `name`, if the model allows one.
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
