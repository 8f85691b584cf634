package import DecantBase
package import DecantJSON

/// A model as a separate text, outside an archive.
extension ArchiveModel {
  /// Returns the text of `model`, in JSON.
  package static func text(of model: Model) -> String { ArchiveModel(model).json.text }

  /// Parses JSON that decant has written; `place` names it in errors.
  package static func tree(in text: String, place: String) throws(DecantError) -> JSONValue {
    try ArchiveFault.telling(place) {
      let empty = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
      defer { empty.deallocate() }
      return try Array(text.utf8).withUnsafeBytes { bytes in
        var reader = JSONReader(bytes, UnsafeRawPointer(empty), depthLimit: ArchiveLimits().depth)
        let tree = try reader.value(limit: ArchiveLimits().headerByteCount / 64)
        try reader.finish()
        return tree
      }
    }
  }

  /// Parses the model in a text from `text(of:)`; `place` names it in errors.
  package static func model(in text: String, place: String) throws(DecantError) -> Model {
    let tree = try tree(in: text, place: place)
    return try ArchiveFault.telling(place) { try ArchiveModel(tree).model }
  }
}
