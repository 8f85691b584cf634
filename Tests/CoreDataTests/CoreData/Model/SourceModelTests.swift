import Decant
import Foundation
import TestSupport
import Testing

/// Reads a model whose `contents` hold `elements`.
private func model(_ elements: String) throws -> Model {
  let folder = try TemporaryFolder()
  let version = folder.url.appendingPathComponent("App.xcdatamodel")
  try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
  try Data("<model userDefinedModelVersionIdentifier='v1'>\(elements)</model>".utf8)
    .write(to: version.appendingPathComponent("contents"))
  return try ModelLocation(version.path).read()
}

/// Reads an attribute of the XML attributes given.
private func attribute(_ attributes: String) throws -> Attribute {
  let model = try model("<entity name='A'><attribute name='x' \(attributes)/></entity>")
  return try #require(model["A"]?.attributes.first)
}

@Suite struct SourceModelTests {
  @Test func `an entity has all the editor says of it`() throws {
    let model = try model(
      """
      <entity name='Base' isAbstract='YES' representedClassName='BaseObject' elementID='Root'
        versionHashModifier='2'>
        <attribute name='id' attributeType='UUID'/>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value='id'/><constraint value='x'/></uniquenessConstraint>
        </uniquenessConstraints>
        <userInfo><entry key='a' value='b'/></userInfo>
        <fetchedProperty name='f'><fetchRequest name='g' entity='Leaf'/></fetchedProperty>
      </entity>
      <entity name='Leaf' parentEntity='Base'/>
      <elements><element name='Base' width='1'/></elements>
      """
    )
    #expect(model.versionIdentifiers == ["v1"])
    #expect(
      model.entities == [
        Entity(
          name: "Base",
          isAbstract: true,
          attributes: [Attribute(name: "id", type: .uuid)],
          uniquenessConstraints: [["id", "x"]],
          className: "BaseObject",
          renamingIdentifier: "Root",
          versionHashModifier: "2",
          userInfo: ["a": "b"]
        ),
        Entity(name: "Leaf", superentity: "Base"),
      ]
    )
  }

  @Test func `an entity has its indexes, of either kind`() throws {
    let model = try model(
      """
      <entity name='A'>
        <attribute name='x' attributeType='String' indexed='YES'/>
        <attribute name='y' attributeType='Double'/>
        <fetchIndex name='byX'>
          <fetchIndexElement property='x' type='Binary' order='descending'/>
          <fetchIndexElement expression='self' type='Binary' order='ascending'/>
        </fetchIndex>
        <fetchIndex name='near'><fetchIndexElement property='y' type='RTree'/></fetchIndex>
        <fetchIndex name='some' partialIndexPredicate='y &gt; 1'>
          <fetchIndexElement expression='y + 1' type='Binary' order='ascending'/>
        </fetchIndex>
        <fetchIndex name='empty'/>
        <compoundIndexes><compoundIndex><index value='x'/><index value='y'/></compoundIndex></compoundIndexes>
      </entity>
      """
    )
    let entity = try #require(model["A"])
    #expect(entity.attributes.map(\.isIndexed) == [true, false])
    #expect(entity.compoundIndexes == [["x", "y"]])
    #expect(
      entity.fetchIndexes == [
        FetchIndex(name: "byX", elements: [.init(.property("x"), isAscending: false), .init(.object)]),
        FetchIndex(name: "near", elements: [.init(.property("y"), isRange: true)]),
        FetchIndex(name: "some", elements: [.init(.unknown)], condition: .unknown),
      ]
    )
  }

  @Test(
    arguments: [
      ("Integer 16", .integer16), ("Integer 32", .integer32), ("Integer 64", .integer64),
      ("Decimal", .decimal), ("Double", .double), ("Float", .float), ("String", .string),
      ("Boolean", .boolean), ("Date", .date), ("Binary", .binary), ("UUID", .uuid), ("URI", .uri),
      ("Transformable", .transformable), ("Undefined", .undefined),
    ] as [(String, AttributeType)]
  )
  func `each type has its name`(_ name: String, _ type: AttributeType) throws {
    #expect(try attribute("attributeType='\(name)'").type == type)
  }

  @Test func `an attribute has its flags`() throws {
    #expect(
      try attribute(
        """
        attributeType='Binary' optional='YES' transient='YES' allowsExternalBinaryDataStorage='YES'
        preserveAfterDeletion='YES' elementID='old' versionHashModifier='2' derived='YES'
        derivationExpression='now()' valueTransformerName='T'
        """
      )
        == Attribute(
          name: "x",
          type: .binary,
          isOptional: true,
          isTransient: true,
          derivation: "now()",
          allowsExternalStorage: true,
          isPreservedInHistory: true,
          valueTransformer: "T",
          renamingIdentifier: "old",
          versionHashModifier: "2"
        )
    )
    #expect(try attribute("attributeType='String' elementID='x'") == Attribute(name: "x", type: .string))
  }

  @Test(
    arguments: [
      ("Integer 16", "-7", .integer(-7)), ("Integer 32", "NO", .integer(0)),
      ("Integer 64", "9223372036854775807", .integer(.max)), ("Boolean", "YES", .integer(1)),
      ("Boolean", "NO", .integer(0)), ("Double", "0.1", .double(0.1)),
      ("Float", "0.1", .double(Double(Float(0.1)))), ("Decimal", "-012.50", .decimal("-12.5")),
      ("Decimal", "0.0", .decimal("0")), ("Decimal", "many", nil), ("String", "", .text("")),
      ("URI", "a:b", .uri("a:b")), ("UUID", "none", nil), ("Binary", "x", nil),
      ("UUID", "00010203-0405-0607-0809-0A0B0C0D0E0F", .uuid([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])),
    ] as [(String, String, Value?)]
  )
  func `a default is a value of its type`(_ type: String, _ text: String, _ value: Value?) throws {
    let read = try attribute("attributeType='\(type)' defaultValueString='\(text)'")
    #expect(read.defaultValue == value)
  }

  @Test func `the default of a date is seconds since 2001`() throws {
    let read = try attribute("attributeType='Date' defaultDateTimeInterval='-978310800'")
    #expect(read.defaultValue == .date(-978_310_800))
  }

  @Test func `a relationship has its bounds and its rule`() throws {
    let model = try model(
      """
      <entity name='A'>
        <relationship name='bs' destinationEntity='B' inverseName='a' inverseEntity='B' toMany='YES'
          ordered='YES' minCount='2' maxCount='5' deletionRule='Cascade' optional='YES'/>
        <relationship name='lone' destinationEntity='A' deletionRule='No Action' toMany='YES'/>
      </entity>
      <entity name='B'>
        <relationship name='a' destinationEntity='A' inverseName='bs' inverseEntity='A'
          deletionRule='Deny' transient='YES' elementID='old'/>
      </entity>
      """
    )
    #expect(
      model.relationships(of: "A") == [
        Relationship(
          name: "bs",
          destination: "B",
          inverse: "a",
          isToMany: true,
          isOrdered: true,
          minCount: 2,
          maxCount: 5,
          deleteRule: .cascade
        ),
        Relationship(name: "lone", destination: "A", isToMany: true, isOptional: false, deleteRule: .noAction),
      ]
    )
    #expect(
      model.relationships(of: "B") == [
        Relationship(
          name: "a",
          destination: "A",
          inverse: "bs",
          isOptional: false,
          isTransient: true,
          maxCount: 1,
          deleteRule: .deny,
          renamingIdentifier: "old"
        )
      ]
    )
  }

  @Test func `a composite attribute has leaves, nested ones too`() throws {
    let model = try model(
      """
      <entity name='A'><attribute name='x' attributeType='Composite' composite='Address'/></entity>
      <composite name='Address'>
        <attribute name='city' attributeType='String' optional='YES'/>
        <attribute name='place' attributeType='Composite' composite='Point'/>
      </composite>
      <composite name='Point'>
        <attribute name='lat' attributeType='Double' defaultValueString='0.5'/>
      </composite>
      """
    )
    let lat = Attribute(name: "lat", type: .double, defaultValue: .double(0.5))
    let leaves = [
      Attribute(name: "city", type: .string, isOptional: true),
      Attribute(name: "place", type: .composite([lat])),
    ]
    #expect(model["A"]?.attributes == [Attribute(name: "x", type: .composite(leaves))])
  }

  @Test(arguments: [
    "<entity name='A' parentEntity='A'/>", "<entity name='A'/><entity name='A'/>", "<entity/>",
    "<entity name='A'><attribute name='x' attributeType='Colour'/></entity>",
    "<entity name='A'><attribute attributeType='String'/></entity>",
    "<entity name='A'><relationship name='r'/></entity>",
    "<entity name='A'><relationship name='r' destinationEntity='B'/></entity>",
    "<entity name='A'><relationship name='r' destinationEntity='A' inverseName='s'/></entity>",
    "<entity name='A'><attribute name='x' attributeType='Composite' composite='C'/></entity>",
    """
    <entity name='A'><attribute name='x' attributeType='Composite' composite='C'/></entity>
    <composite name='C'><attribute name='y' attributeType='Composite' composite='C'/></composite>
    """,
    "<entity name='A'>", "<entity name='A'/></model><more/>",
  ])
  func `what makes no sense is damage`(_ elements: String) throws {
    let error = #expect(throws: DecantError.self) { try model(elements) }
    #expect(error?.family == .corruptStore)
    #expect(error?.place?.hasSuffix("contents") == true)
  }
}
