import DecantPropertyList

/// An archive in the making, as `NSKeyedArchiver` makes one: a list of objects that refer to each other by
/// position, with the class of each.
struct KeyedArchiveWriter {
  /// A class, with those it inherits from, nearest first.
  struct Class: Hashable {
    let names: [String]

    init(_ names: String...) {
      self.names = names + ["NSObject"]
    }

    static let array = Class("NSArray")
    static let mutableArray = Class("NSMutableArray", "NSArray")
    static let dictionary = Class("NSDictionary")
    static let mutableDictionary = Class("NSMutableDictionary", "NSDictionary")
    static let set = Class("NSSet")
  }

  /// A reference to nothing.
  static let null = PropertyList.uid(0)

  private var objects: [PropertyList] = [.string("$null")]
  private var classes: [Class: PropertyList] = [:]
  private var scalars: [PropertyList: PropertyList] = [:]

  /// Returns the reference of an object that `fill` will give its contents.
  mutating func reserve() -> PropertyList {
    objects.append(.dictionary([:]))
    return .uid(objects.count - 1)
  }

  /// Gives the reserved object at `reference` its class and contents.
  mutating func fill(_ reference: PropertyList, _ type: Class, _ fields: [String: PropertyList]) {
    guard case .uid(let position) = reference else { return }
    var fields = fields
    fields["$class"] = `class`(type)
    objects[position] = .dictionary(fields)
  }

  /// Adds an object, and returns its reference.
  mutating func object(_ type: Class, _ fields: [String: PropertyList]) -> PropertyList {
    let reference = reserve()
    fill(reference, type, fields)
    return reference
  }

  /// Adds a text or a number once, and returns its reference.
  mutating func scalar(_ value: PropertyList) -> PropertyList {
    if let known = scalars[value] { return known }
    objects.append(value)
    let reference = PropertyList.uid(objects.count - 1)
    scalars[value] = reference
    return reference
  }

  /// Adds a text once, and returns its reference.
  mutating func string(_ text: String) -> PropertyList {
    scalar(.string(text))
  }

  /// Adds an array or a set.
  mutating func collection(_ elements: [PropertyList], _ type: Class) -> PropertyList {
    object(type, ["NS.objects": .array(elements)])
  }

  /// Adds a dictionary with text for keys.
  mutating func dictionary(_ entries: [(String, PropertyList)], _ type: Class) -> PropertyList {
    let reference = reserve()
    let keys = entries.map { string($0.0) }
    fill(reference, type, ["NS.keys": .array(keys), "NS.objects": .array(entries.map(\.1))])
    return reference
  }

  /// Returns the archive whose outermost object is `root`, as a binary property list.
  func bytes(root: PropertyList) -> [UInt8] {
    BinaryPropertyListWriter.write(
      .dictionary([
        "$version": .integer(100_000),
        "$archiver": .string("NSKeyedArchiver"),
        "$top": .dictionary(["root": root]),
        "$objects": .array(objects),
      ])
    )
  }

  private mutating func `class`(_ type: Class) -> PropertyList {
    if let known = classes[type] { return known }
    objects.append(
      .dictionary([
        "$classname": .string(type.names[0]),
        "$classes": .array(type.names.map(PropertyList.string)),
      ])
    )
    let reference = PropertyList.uid(objects.count - 1)
    classes[type] = reference
    return reference
  }
}

extension KeyedArchiveWriter {
  /// Returns the archive of a dictionary of numbers: what the default transformer makes of one.
  static func bytes(of numbers: [(String, Double)]) -> [UInt8] {
    var archive = KeyedArchiveWriter()
    let root = archive.reserve()
    let keys = numbers.map { archive.string($0.0) }
    let values = numbers.map { archive.scalar(.real($0.1)) }
    archive.fill(root, .dictionary, ["NS.keys": .array(keys), "NS.objects": .array(values)])
    return archive.bytes(root: root)
  }
}
