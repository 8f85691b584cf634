internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// Converts references and identities to the form of an attribute.
enum ReferenceValue {
  /// Returns `text` in the attribute's form.
  static func value(_ text: String, _ storage: StorageClass, _ site: ReferenceSite) throws(DecantError) -> Binding {
    switch site.form {
    case .text: return .text(text)
    case .bytes: return .blob(Array(text.utf8))
    case .likeReference: return storage == .blob ? .blob(Array(text.utf8)) : .text(text)
    case .integer, .uuid:
      throw unfit("a text", site)
    }
  }

  /// Returns an identity in the attribute's form.
  static func value(
    _ identity: Binding,
    _ property: Property,
    _ storage: StorageClass,
    _ site: ReferenceSite
  ) throws(DecantError) -> Binding {
    switch (identity, site.form) {
    case (.integer, .integer): return identity
    case (.integer, .likeReference) where storage == .integer: return identity
    case (.integer(let integer), .text), (.integer(let integer), .bytes),
      (.integer(let integer), .likeReference):
      return try value(String(integer), storage, site)
    case (.blob(let bytes), .uuid) where bytes.count == 16: return identity
    case (.blob(let bytes), .text), (.blob(let bytes), .bytes), (.blob(let bytes), .likeReference):
      guard bytes.count == 16 else { throw unfit("\(property), bytes", site) }
      return try value(bytes.uuidText, storage, site)
    case (.utf8, .text): return identity
    case (.utf8(let bytes), .bytes): return .blob(bytes)
    case (.utf8(let bytes), .likeReference): return storage == .blob ? .blob(bytes) : identity
    default:
      throw unfit("\(property)", site)
    }
  }

  private static func unfit(_ what: String, _ site: ReferenceSite) -> DecantError {
    DecantError(
      .unsuitableOption,
      "\(site.place.property) cannot hold \(what)",
      place: "it is of type \(site.column.type?.name ?? "unknown")",
      remedy: "use another attribute for the identity: \(say: .identity) 'Entity: attribute'"
    )
  }
}
