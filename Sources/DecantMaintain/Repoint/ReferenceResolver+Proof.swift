internal import DecantBase
internal import DecantSQLite

extension ReferenceResolver {
  /// Whether the reference in the column of the current row leads to an existing object, for the proof.
  func leads(_ row: Statement, _ column: Int, entityName: String?, at site: ReferenceSite) throws(DecantError) -> Bool {
    if toIdentity {
      guard let text = identityText(row, column, site), let target else { return false }
      return try target.hasIdentity(text)
    }
    switch reader.reference(in: row, column, site) {
    case .named(let store, let entity, let key):
      guard let ids, same(store, ids.destinationUUID) else { return false }
      return try isThere(key, entity, ids)
    case .key(let key, _):
      guard let entity = entity(entityName, site), let ids else { return false }
      return try isThere(key, entity, ids)
    case .other(let text): return text != nil
    case .temporary: return false
    }
  }

  /// Whether the object exists in the target store or, if none was given, among the keys in the ID table.
  private func isThere(_ key: Int64, _ entity: String, _ ids: KeptIDTable) throws(DecantError) -> Bool {
    try asking { () throws(SQLiteError) in
      if let target {
        return try target.entity(of: key, in: target.root(of: entity) ?? entity) != nil
      }
      return try ids.gave(key, in: entity)
    }
  }

  private func identityText(_ row: Statement, _ column: Int, _ site: ReferenceSite) -> String? {
    switch row.type(at: column) {
    case .integer: return String(row.integer(at: column))
    case .null, .real: return nil
    case .text, .blob:
      let isUUID = row.type(at: column) == .blob && site.form == .uuid
      return row.withBytes(at: column) { bytes in
        isUUID ? Array(bytes).uuidText : String(validating: bytes, as: UTF8.self)
      }
    }
  }
}
