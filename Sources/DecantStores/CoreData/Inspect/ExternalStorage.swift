internal import Decant
internal import FoundationEssentials
internal import SQLite

/// The files in which a Core Data store keeps large values: `.NAME_SUPPORT/_EXTERNAL_DATA/UUID`.
///
/// A value that lies in such a file is stored as the byte 2, the file's name, and a zero.
struct ExternalStorage {
  /// The folder, which need not exist.
  let folder: String

  /// The length of a value that only names a file.
  private static let referenceLength = 38

  /// Names the folder of the store at `path`.
  init(path: String) {
    let file = ModelFile(path)
    folder = "\(file.folder.path)/.\(file.stem)_SUPPORT/_EXTERNAL_DATA"
  }

  /// Looks for the file of every value that lies in one.
  func files(of layout: Layout, model: Model, on connection: Connection, _ schema: String)
    throws(DecantError) -> [ExternalFiles]
  {
    var files: [ExternalFiles] = []
    for relation in layout.relations {
      for column in relation.columns {
        guard case .attribute(let property) = column.meaning,
          model.allowsExternalStorage(property)
        else { continue }
        files += try explaining("cannot read the values of \(property)") {
          () throws(SQLiteError) in
          try self.files(of: column, property, in: relation, on: connection, schema)
        }
      }
    }
    return files
  }

  private func files(
    of column: RelationColumn,
    _ property: Property,
    in relation: Relation,
    on connection: Connection,
    _ schema: String
  ) throws(SQLiteError) -> [ExternalFiles] {
    var files: [String: ExternalFiles] = [:]
    let name = column.name.sqlName
    let entity = relation.entityColumn?.sqlName ?? "NULL"
    // The length of a value is known without reading it: pictures in the rows stay unread.
    try connection.forEachRow(
      """
      SELECT \(entity), CASE WHEN length(\(name)) = \(ExternalStorage.referenceLength) THEN \(name) END
      FROM \(schema.sqlName).\(relation.table.sqlName)
      WHERE length(\(name)) = \(ExternalStorage.referenceLength)
      """
    ) { row throws(SQLiteError) in
      let code = row.integer(at: 0)
      guard column.onlyIn?.contains(code) ?? true,
        let owner = relation.entities.first(where: { $0.code == code }),
        let file = row.withBytes(at: 1, ExternalStorage.fileName)
      else { return }
      let byteCount = self.byteCount(of: file)
      var sum = files[owner.name] ?? ExternalFiles(attribute: property, entity: owner.name)
      sum.referenceCount += 1
      sum.missingCount += byteCount == nil ? 1 : 0
      sum.byteCount += byteCount ?? 0
      files[owner.name] = sum
    }
    return relation.entities.compactMap { files[$0.name] }
  }

  /// Returns the file that `value` names, or `nil` if it is not of that form.
  ///
  /// Only the digits of a UUID are taken, so that no store can name a file elsewhere.
  static func fileName(_ value: UnsafeRawBufferPointer) -> String? {
    guard value.count == referenceLength, value[0] == 2, value[referenceLength - 1] == 0 else {
      return nil
    }
    let name = value[1..<referenceLength - 1]
    let isUUID = name.allSatisfy { byte in
      byte == UInt8(ascii: "-") || Character(Unicode.Scalar(byte)).isHexDigit
    }
    return isUUID ? String(decoding: name, as: UTF8.self) : nil
  }

  /// Returns the size of a file in the folder, or `nil` if it is not there or only a link.
  private func byteCount(of file: String) -> Int64? {
    let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(file)")
    guard let attributes, attributes[.type] as? FileAttributeType == .typeRegular else {
      return nil
    }
    return (attributes[.size] as? Int64) ?? (attributes[.size] as? UInt64).map { Int64($0) }
      ?? (attributes[.size] as? Int).map { Int64($0) } ?? 0
  }
}

extension Model {
  fileprivate func allowsExternalStorage(_ property: Property) -> Bool {
    self[property.entity]?.attributes.first { $0.name == property.name }?.allowsExternalStorage
      ?? false
  }
}
