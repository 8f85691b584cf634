import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import DecantCoreData

/// What mapping models do to links: made ones, run, and the `sqlite3` program looks.
@Suite struct MappingModelLinkTests {
  /// Owners with parts, each part with friends among the tags.
  private static let old = """
    <entity name="Owner"><attribute name="n" optional="YES" attributeType="String"/>
      <relationship name="items" optional="YES" toMany="YES" destinationEntity="Part" inverseName="owner"/>
      <relationship name="best" optional="YES" maxCount="1" destinationEntity="Part" inverseName="bestOf"/></entity>
    <entity name="Part"><attribute name="n" optional="YES" attributeType="String"/>
      <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Owner" inverseName="items"/>
      <relationship name="bestOf" optional="YES" maxCount="1" destinationEntity="Owner" inverseName="best"/>
      <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="parts"/></entity>
    <entity name="Tag"><attribute name="n" optional="YES" attributeType="String"/>
      <relationship name="parts" optional="YES" toMany="YES" destinationEntity="Part" inverseName="tags"/></entity>
    """

  /// The same under other names.
  private static let new = """
    <entity name="Holder"><attribute name="n" optional="YES" attributeType="String"/>
      <relationship name="things" optional="YES" toMany="YES" destinationEntity="Thing" inverseName="holder"/>
      <relationship name="first" optional="YES" maxCount="1" destinationEntity="Thing" inverseName="firstOf"/></entity>
    <entity name="Thing"><attribute name="n" optional="YES" attributeType="String"/>
      <relationship name="holder" optional="YES" maxCount="1" destinationEntity="Holder" inverseName="things"/>
      <relationship name="firstOf" optional="YES" maxCount="1" destinationEntity="Holder" inverseName="first"/>
      <relationship name="labels" optional="YES" toMany="YES" destinationEntity="Label" inverseName="things"/></entity>
    <entity name="Label"><attribute name="n" optional="YES" attributeType="String"/>
      <relationship name="things" optional="YES" toMany="YES" destinationEntity="Thing" inverseName="labels"/></entity>
    """

  private static let rows = """
    INSERT INTO ZOWNER (Z_PK, Z_ENT, Z_OPT, ZN, ZBEST) VALUES (1, 1, 1, 'o1', 2), (2, 1, 1, 'o2', NULL);
    INSERT INTO ZPART (Z_PK, Z_ENT, Z_OPT, ZN, ZOWNER, ZBESTOF) VALUES (1, 2, 1, 'p1', 1, NULL), (2, 2, 1, 'p2', 1, 1),
      (3, 2, 1, 'p3', 2, NULL), (4, 2, 1, 'p4', NULL, NULL);
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 3, 1, 't1'), (2, 3, 1, 't2');
    INSERT INTO Z_2TAGS (Z_2PARTS, Z_3TAGS) VALUES (1, 1), (1, 2), (3, 2)
    """

  /// One entity mapping for each of the three, with these relationships.
  private static func mappings(holder: String, thing: String, label: String) -> String {
    """
    [{'name': 'OwnerToHolder', 'source': 'Owner', 'destination': 'Holder', 'attributes': {'n': path('n')},
      'relationships': {\(holder)}},
     {'name': 'PartToThing', 'source': 'Part', 'destination': 'Thing', 'attributes': {'n': path('n')},
      'relationships': {\(thing)}},
     {'name': 'TagToLabel', 'source': 'Tag', 'destination': 'Label', 'attributes': {'n': path('n')},
      'relationships': {\(label)}}]
    """
  }

  /// The links of the made store, by the names of what they join.
  private func links(_ step: MadeStep) throws -> [[String]] {
    let table = try Program.sqlite3(
      step.made,
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name GLOB 'Z_[0-9]*'"
    )
    let columns = try Program.sqlite3(step.made, "SELECT name FROM pragma_table_info('\(table)')")
      .split(separator: "\n")
    let (labels, things) = (
      columns.first { $0.hasSuffix("LABELS") } ?? "", columns.first { $0.hasSuffix("THINGS") } ?? ""
    )
    return try [
      "SELECT t.ZN, h.ZN FROM ZTHING t JOIN ZHOLDER h ON h.Z_PK = t.ZHOLDER ORDER BY 1",
      "SELECT h.ZN, t.ZN FROM ZHOLDER h JOIN ZTHING t ON t.Z_PK = h.ZFIRST AND t.ZFIRSTOF = h.Z_PK ORDER BY 1",
      "SELECT t.ZN, l.ZN FROM \(table) j JOIN ZTHING t ON t.Z_PK = j.\(things) JOIN ZLABEL l ON l.Z_PK = j.\(labels) "
        + "ORDER BY 1, 2",
    ].map(step.rows)
  }

  private static let all = [
    ["'p1','o1'", "'p2','o1'", "'p3','o2'"], ["'o1','p2'"],
    ["'p1','t1'", "'p1','t2'", "'p3','t2'"],
  ]

  @Test(arguments: [
    // Both directions, as Xcode writes them.
    (
      "'things': through('PartToThing', path('items')), 'first': through('PartToThing', path('best'))",
      "'holder': through('OwnerToHolder', path('owner')), 'firstOf': through('OwnerToHolder', path('bestOf')), "
        + "'labels': related('tags', path('tags'))",
      "'things': related('parts', path('parts'))"
    ),
    // One of them, either one.
    (
      "'things': through('PartToThing', path('items')), 'first': through('PartToThing', path('best'))",
      "'holder': None, 'labels': through('TagToLabel', path('tags'))", ""
    ),
    (
      "", "'holder': related('owner', path('owner')), 'firstOf': related('bestOf', path('bestOf'))",
      "'things': related('parts', path('parts'))"
    ),
  ])
  func `links follow by other names, said of either direction`(
    _ holder: String,
    _ thing: String,
    _ label: String
  ) throws {
    let mappings = Self.mappings(holder: holder, thing: thing, label: label)
    let step = try MadeStep(Self.old, Self.new, rows: Self.rows, mappings)
    try step.copy()
    #expect(try links(step) == Self.all)
    #expect(try step.conversion().lostProperties == [])
  }

  @Test func `links that nothing is said of are left out, whatever their name`() throws {
    let mappings = """
      [{'name': 'O', 'source': 'Owner', 'destination': 'Owner', 'attributes': {'n': path('n')},
        'relationships': {'items': None, 'best': None}},
       {'name': 'P', 'source': 'Part', 'destination': 'Part', 'attributes': {'n': path('n')}},
       {'name': 'T', 'source': 'Tag', 'destination': 'Tag', 'attributes': {'n': path('n')}}]
      """
    let step = try MadeStep(Self.old, Self.old, rows: Self.rows, mappings)
    try step.copy()
    #expect(try step.rows("SELECT ZN, ZOWNER, ZBESTOF FROM ZPART WHERE ZOWNER OR ZBESTOF") == [])
    #expect(try step.rows("SELECT count(*), count(ZBEST) FROM ZOWNER") == ["2,0"])
    #expect(try step.rows("SELECT count(*) FROM Z_2TAGS") == ["0"])
    #expect(
      try step.conversion().lostProperties.map(\.description)
        == [
          "Owner.best", "Owner.items", "Part.bestOf", "Part.owner", "Part.tags", "Tag.parts",
        ]
    )
  }

  @Test func `the links of one become those of the other that its name belongs to`() throws {
    let two = """
      <entity name="A"><attribute name="n" optional="YES" attributeType="String"/>
        <relationship name="left" optional="YES" maxCount="1" destinationEntity="B" inverseName="lefts"/>
        <relationship name="right" optional="YES" maxCount="1" destinationEntity="B" inverseName="rights"/></entity>
      <entity name="B"><attribute name="n" optional="YES" attributeType="String"/>
        <relationship name="lefts" optional="YES" toMany="YES" destinationEntity="A" inverseName="left"/>
        <relationship name="rights" optional="YES" toMany="YES" destinationEntity="A" inverseName="right"/></entity>
      """
    let step = try MadeStep(
      two,
      two,
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN, ZLEFT, ZRIGHT) VALUES (1, 1, 1, 'a1', 1, 2), (2, 1, 1, 'a2', NULL, 1);
        INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 2, 1, 'b1'), (2, 2, 1, 'b2')
        """,
      """
      [{'name': 'AToA', 'source': 'A', 'destination': 'A', 'attributes': {'n': path('n')},
        'relationships': {'left': through('BToB', path('right')), 'right': through('BToB', path('left'))}},
       {'name': 'BToB', 'source': 'B', 'destination': 'B', 'attributes': {'n': path('n')},
        'relationships': {'lefts': through('AToA', path('rights'))}}]
      """
    )
    try step.copy()
    #expect(try step.rows("SELECT ZN, ZLEFT, ZRIGHT FROM ZA ORDER BY 1") == ["'a1',2,1", "'a2',1,NULL"])
  }

  @Test(arguments: [
    ("'address': through('PersonToAddress', var('source'))", ""),
    ("", "'person': through('PersonToPerson', var('source'))"),
  ])
  func `an object that is split leads to its other half`(_ person: String, _ address: String) throws {
    let step = try MadeStep(
      """
      <entity name="Person"><attribute name="n" optional="YES" attributeType="String"/>
        <attribute name="street" optional="YES" attributeType="String"/></entity>
      """,
      """
      <entity name="Address"><attribute name="street" optional="YES" attributeType="String"/>
        <relationship name="person" optional="YES" maxCount="1" destinationEntity="Person" inverseName="address"/></entity>
      <entity name="Person"><attribute name="n" optional="YES" attributeType="String"/>
        <relationship name="address" optional="YES" maxCount="1" destinationEntity="Address" inverseName="person"/></entity>
      """,
      rows:
        "INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZN, ZSTREET) VALUES (3, 1, 1, 'a', 's1'), (7, 1, 1, 'b', NULL)",
      """
      [{'name': 'PersonToPerson', 'source': 'Person', 'destination': 'Person', 'attributes': {'n': path('n')},
        'relationships': {\(person)}},
       {'name': 'PersonToAddress', 'source': 'Person', 'destination': 'Address', 'predicate': 'street != nil',
        'attributes': {'street': path('street')}, 'relationships': {\(address)}}]
      """
    )
    try step.copy()
    #expect(
      try step.rows(
        "SELECT p.ZN, a.ZSTREET, a.ZPERSON = p.Z_PK FROM ZPERSON p LEFT JOIN ZADDRESS a ON a.Z_PK = p.ZADDRESS ORDER BY 1"
      ) == ["'a','s1',1", "'b',NULL,NULL"]
    )
  }

  /// Parts that become things by one of two entity mappings, and owners that lead to them.
  private func twoMakers(_ links: String) throws -> MadeStep {
    try MadeStep(
      Self.old,
      Self.new,
      rows: Self.rows,
      """
      [{'name': 'O', 'source': 'Owner', 'destination': 'Holder', 'attributes': {'n': path('n')},
        'relationships': {'things': \(links)}},
       {'name': 'First', 'source': 'Part', 'destination': 'Thing', 'predicate': 'n == "p1"', 'attributes': {'n': path('n')}},
       {'name': 'Rest', 'source': 'Part', 'destination': 'Thing', 'predicate': 'n != "p1"', 'attributes': {'n': const('rest')}}]
      """
    )
  }

  @Test func `links through a relationship lead to what either entity mapping made`() throws {
    let step = try twoMakers("related('items', path('items'))")
    try step.copy()
    #expect(
      try step.rows("SELECT t.ZN, h.ZN FROM ZTHING t LEFT JOIN ZHOLDER h ON h.Z_PK = t.ZHOLDER ORDER BY 1, 2")
        == ["'p1','o1'", "'rest',NULL", "'rest','o1'", "'rest','o2'"]
    )
  }

  @Test func `links through one of two entity mappings are refused`() throws {
    let step = try twoMakers("through('First', path('items'))")
    let error = #expect(throws: DecantError.self) { try step.conversion() }
    #expect(
      error?.message.hasSuffix("links through First alone, as Rest makes Thing of Part as well")
        == true
    )
  }

  @Test(arguments: [
    "'link': through('BToB', path('link'))", "'link': related('link', path('link'))",
  ])
  func `a link without inverse gets one`(_ link: String) throws {
    let step = try MadeStep(
      """
      <entity name="A"><relationship name="link" optional="YES" maxCount="1" destinationEntity="B"/></entity>
      <entity name="B"><attribute name="n" optional="YES" attributeType="String"/></entity>
      """,
      """
      <entity name="A"><relationship name="link" optional="YES" maxCount="1" destinationEntity="B" inverseName="back"/></entity>
      <entity name="B"><attribute name="n" optional="YES" attributeType="String"/>
        <relationship name="back" optional="YES" maxCount="1" destinationEntity="A" inverseName="link"/></entity>
      """,
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZLINK) VALUES (1, 1, 1, 2), (2, 1, 1, NULL), (3, 1, 1, 1);
        INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 2, 1, 'b1'), (2, 2, 1, 'b2'), (3, 2, 1, 'b3')
        """,
      """
      [{'name': 'AToA', 'source': 'A', 'destination': 'A', 'relationships': {\(link)}},
       {'name': 'BToB', 'source': 'B', 'destination': 'B', 'attributes': {'n': path('n')}}]
      """
    )
    try step.copy()
    #expect(try step.rows("SELECT Z_PK, ZLINK FROM ZA ORDER BY 1") == ["1,2", "2,NULL", "3,1"])
    #expect(try step.rows("SELECT ZN, ZBACK FROM ZB ORDER BY 1") == ["'b1',3", "'b2',1", "'b3',NULL"])
  }
}
