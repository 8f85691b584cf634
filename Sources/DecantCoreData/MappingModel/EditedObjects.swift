internal import DecantBase64
internal import DecantBase
internal import DecantXML

/// The objects of an `xcmapping.xml`, which is a Core Data XML store written by Xcode.
///
/// - Source: mapping models as Xcode writes them; Formats, “Mapping models”.
struct EditedObjects {
  /// The objects by identifier.
  private(set) var objects: [String: EditedObject] = [:]
  private let place: String

  /// The limits; the largest file seen has 240 kB and 40 objects.
  private static let limits = XMLReader.Limits(byteCount: 1 << 26, depth: 30)
  private static let mostObjects = 200_000

  /// Reads all objects of the store in `bytes`.
  init(_ bytes: [UInt8], place: String) throws(DecantError) {
    self.place = place
    do throws(XMLError) {
      try read(XMLReader(bytes, limits: Self.limits))
    } catch {
      throw MappingModelFile.damaged("\(error)", place, cause: error)
    }
  }

  private mutating func read(_ reader: XMLReader) throws(XMLError) {
    guard case .start(let root)? = try reader.next(), root.name == "database" else {
      throw reader.error("the outermost element is not <database>")
    }
    // The open object, and its open attribute.
    var object: EditedObject?
    var attribute: String?
    var text = ""
    var depth = 1
    while let event = try reader.next() {
      switch event {
      case .start(let tag):
        depth += 1
        if depth == 2, tag.name == "object" {
          object = EditedObject(tag)
        } else if depth == 3, object != nil, tag.name == "attribute" {
          attribute = tag.attributes["name"] ?? ""
          text = ""
        } else if depth == 3, tag.name == "relationship", let name = tag.attributes["name"] {
          let ids = (tag.attributes["idrefs"] ?? "").split(separator: " ").map(String.init)
          object?.links[name] = ids
        }
      case .text(let piece):
        if attribute != nil { text += piece }
      case .end:
        if depth == 3, let name = attribute {
          object?.values[name] = text
          attribute = nil
        } else if depth == 2, let closed = object {
          guard objects.count < Self.mostObjects else {
            throw reader.error("there are too many objects")
          }
          guard objects.updateValue(closed, forKey: closed.id) == nil else {
            throw XMLError("two objects have the identifier “\(closed.id)”", line: closed.line)
          }
          object = nil
        }
        depth -= 1
      }
    }
  }

  /// Returns the targets of a relationship of `object`.
  func targets(of object: EditedObject, _ relationship: String) throws(DecantError) -> [EditedObject] {
    var targets: [EditedObject] = []
    for id in object.links[relationship] ?? [] {
      guard let target = objects[id] else {
        throw MappingModelFile.damaged(
          "\(relationship) refers to a missing object “\(id)” (line \(object.line))",
          place
        )
      }
      targets.append(target)
    }
    return targets
  }

  /// Returns the bytes of a base64 attribute; `nil` if the object has no such attribute.
  func bytes(of object: EditedObject, _ name: String) throws(DecantError) -> [UInt8]? {
    guard let text = object.values[name] else { return nil }
    do throws(Base64Decoder.Fault) {
      let bytes = try Base64Decoder.bytes(of: text, [.blanks, .unpadded])
      return bytes.isEmpty ? nil : bytes
    } catch {
      throw MappingModelFile.damaged("\(name) is not valid base64 (object \(object.id), line \(object.line))", place)
    }
  }
}

/// One object of an `xcmapping.xml`.
struct EditedObject {
  /// The entity in Xcode's own model, in upper case: `XDDEVENTITYMAPPING`.
  let type: String
  let id: String
  /// The line on which the object begins.
  let line: Int
  /// The attributes as written.
  var values: [String: String] = [:]
  /// The relationships, as identifiers of objects.
  var links: [String: [String]] = [:]

  init(_ tag: XMLReader.Tag) {
    type = tag.attributes["type"]?.uppercased() ?? ""
    id = tag.attributes["id"] ?? ""
    line = tag.line
  }

  /// Returns the value of an attribute, unless it is empty.
  func value(_ name: String) -> String? {
    values[name].flatMap { $0.isEmpty ? nil : $0 }
  }
}
