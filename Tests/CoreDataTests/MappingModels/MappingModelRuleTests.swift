import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

@testable import DecantCoreData

/// What the parts of a mapping model do to objects: made mapping models, run, and the `sqlite3` program looks.
@Suite struct MappingModelRuleTests {
  private static let old = """
    <entity name="City"><attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="people" optional="YES" toMany="YES" destinationEntity="Person" inverseName="home"/></entity>
    <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>
      <relationship name="home" optional="YES" maxCount="1" destinationEntity="City" inverseName="people"/>
      <relationship name="recipes" optional="YES" toMany="YES" destinationEntity="Recipe" inverseName="author"/></entity>
    <entity name="Recipe"><attribute name="title" attributeType="String"/>
      <attribute name="serves" optional="YES" attributeType="Integer 16"/>
      <attribute name="rating" optional="YES" attributeType="Double"/>
      <attribute name="madeOn" optional="YES" attributeType="Date"/>
      <attribute name="isGone" attributeType="Boolean" defaultValueString="NO"/>
      <attribute name="note" optional="YES" attributeType="String"/>
      <relationship name="author" optional="YES" maxCount="1" destinationEntity="Person" inverseName="recipes"/>
      <relationship name="steps" optional="YES" toMany="YES" destinationEntity="Step" inverseName="recipe"/></entity>
    <entity name="Step"><attribute name="text" optional="YES" attributeType="String"/>
      <relationship name="recipe" optional="YES" maxCount="1" destinationEntity="Recipe" inverseName="steps"/></entity>
    """

  private static let rows = """
    INSERT INTO ZCITY (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 1, 1, 'Bern'), (2, 1, 1, NULL);
    INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME, ZHOME) VALUES (1, 2, 1, 'Ada', 1), (2, 2, 1, 'Bo', 2), (3, 2, 1, NULL, NULL);
    INSERT INTO ZRECIPE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZSERVES, ZRATING, ZMADEON, ZISGONE, ZNOTE, ZAUTHOR) VALUES
      (1, 3, 1, 'Soup', 4, 4.5, 100, 0, 'O''Neil"s', 1), (2, 3, 1, 'Soupe', NULL, 2, 200.5, 1, NULL, 2),
      (3, 3, 1, 'Tart', 6, NULL, NULL, 0, 'soup', 3), (4, 3, 1, 'A soup', 1, 5, 300, 0, '', NULL);
    INSERT INTO ZSTEP (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZRECIPE) VALUES (1, 4, 1, 'cut', 1), (2, 4, 1, 'boil', 1), (3, 4, 1, 'bake', 3), (4, 4, 1, 'lost', NULL)
    """

  // MARK: Attributes

  @Test func `renames, constants, key paths, and what begins as the model says`() throws {
    let step = try MadeStep(
      Self.old,
      """
      <entity name="Dish"><attribute name="name" attributeType="String"/>
        <attribute name="serves" attributeType="Integer 16" defaultValueString="2"/>
        <attribute name="stars" optional="YES" attributeType="Double"/>
        <attribute name="note" optional="YES" attributeType="String" defaultValueString="none"/>
        <attribute name="author" optional="YES" attributeType="String"/>
        <attribute name="city" optional="YES" attributeType="String"/>
        <attribute name="kind" attributeType="String"/>
        <attribute name="isNew" attributeType="Boolean"/>
        <attribute name="weight" attributeType="Double"/>
        <attribute name="since" attributeType="Date"/>
        <attribute name="until" optional="YES" attributeType="Date" defaultDateTimeInterval="7"/></entity>
      """,
      rows: Self.rows,
      """
      [{'name': 'RecipeToDish', 'source': 'Recipe', 'destination': 'Dish', 'attributes': {
        'name': path('title'), 'serves': None, 'stars': path('rating'), 'note': path('note'),
        'author': path('author.name'), 'city': path('author.home.name'), 'kind': const("it's"),
        'isNew': const(True), 'weight': const(0.25), 'since': const(datetime.datetime(2001, 1, 1, 0, 1)),
        'until': const(None)}}]
      """
    )
    try step.copy()
    #expect(
      try step.rows(
        "SELECT ZNAME, ZSERVES, ZSTARS, ZNOTE, ZAUTHOR, ZCITY, ZKIND, ZISNEW, ZWEIGHT, ZSINCE, ZUNTIL FROM ZDISH ORDER BY Z_PK"
      ) == [
        "'Soup',2,4.5,'O''Neil\"s','Ada','Bern','it''s',1,0.25,60,NULL",
        "'Soupe',2,2.0,NULL,'Bo',NULL,'it''s',1,0.25,60,NULL",
        "'Tart',2,NULL,'soup',NULL,NULL,'it''s',1,0.25,60,NULL",
        "'A soup',2,5.0,'',NULL,NULL,'it''s',1,0.25,60,NULL",
      ]
    )
    let conversion = try step.conversion()
    // Persons and cities are read, and become nothing all the same.
    #expect(conversion.lostEntities == ["City", "Person", "Step"])
    #expect(
      conversion.lostProperties.map(\.description)
        == ["Recipe.isGone", "Recipe.madeOn", "Recipe.serves", "Recipe.steps"]
    )
  }

  @Test func `an attribute that another takes leaves room for its own default`() throws {
    let step = try MadeStep(
      "<entity name=\"A\"><attribute name=\"x\" optional=\"YES\" attributeType=\"String\"/></entity>",
      """
      <entity name="A"><attribute name="x" optional="YES" attributeType="String" defaultValueString="new"/>
        <attribute name="y" optional="YES" attributeType="String"/></entity>
      """,
      rows: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 1, 1, 'old')",
      "[{'name': 'AToA', 'source': 'A', 'destination': 'A', 'attributes': {'x': None, 'y': path('x')}}]"
    )
    try step.copy()
    #expect(try step.rows("SELECT ZX, ZY FROM ZA") == ["'new','old'"])
    #expect(try step.conversion().lostProperties == [])
  }

  @Test(arguments: [
    ("path('at')", "'Bern'", [String]()), ("None", "NULL", ["A.at.city", "A.at.zip"]),
  ])
  func `a composite attribute is taken or left as a whole`(_ value: String, _ city: String, _ lost: [String]) throws {
    let version = """
      <composite name="Place"><attribute name="city" optional="YES" attributeType="String"/>
        <attribute name="zip" optional="YES" attributeType="Integer 32"/></composite>
      <entity name="A"><attribute name="at" optional="YES" attributeType="Composite" composite="Place"/>
        <attribute name="n" optional="YES" attributeType="String"/></entity>
      """
    let step = try MadeStep(
      version,
      version,
      rows:
        "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZCITY, ZZIP, ZN) VALUES (1, 1, 1, 'Bern', 3000, 'x')",
      "[{'name': 'AToA', 'source': 'A', 'destination': 'A', 'attributes': {'at': \(value), 'n': path('n')}}]"
    )
    try step.copy()
    #expect(try step.rows("SELECT ZCITY, ZN FROM ZA") == ["\(city),'x'"])
    #expect(try step.conversion().lostProperties.map(\.description) == lost)
  }

  // MARK: Predicates

  @Test(arguments: [
    ("TRUEPREDICATE", "1"), ("FALSEPREDICATE", "0"), ("isGone == NO", "ZISGONE = 0"),
    ("NOT isGone == YES", "ZISGONE = 0"), ("serves > 3", "ZSERVES > 3"),
    ("3 < serves", "ZSERVES > 3"),
    ("serves == nil OR rating >= 4.5", "ZSERVES IS NULL OR ZRATING >= 4.5"),
    // Core Data counts what has no value among what differs.
    ("serves != 4", "ZSERVES IS NOT 4"), ("serves BETWEEN {1, 4}", "ZSERVES BETWEEN 1 AND 4"),
    ("serves IN {1, 6, 99}", "ZSERVES IN (1, 6, 99)"),
    ("title BEGINSWITH 'Soup'", "ZTITLE GLOB 'Soup*'"),
    ("title ENDSWITH 'oup'", "ZTITLE GLOB '*oup'"), ("title CONTAINS 'oup'", "ZTITLE GLOB '*oup*'"),
    ("note == \"O'Neil\\\"s\"", "ZNOTE = 'O''Neil\"s'"), ("note == ''", "ZNOTE = ''"),
    ("madeOn < CAST(200.5, 'NSDate')", "ZMADEON < 200.5"), ("author == nil", "ZAUTHOR IS NULL"),
    ("author.home != nil", "ZAUTHOR IN (1, 2)"), ("author.name == 'Bo'", "ZAUTHOR = 2"),
    ("author.home.name == 'Bern' && !(isGone = 1 || title = 'Soupe')", "ZAUTHOR = 1"),
  ])
  func `a predicate takes the objects that it says`(_ predicate: String, _ sql: String) throws {
    let step = try MadeStep(
      Self.old,
      "<entity name=\"Recipe\"><attribute name=\"title\" attributeType=\"String\"/></entity>",
      rows: Self.rows,
      """
      [{'name': 'RecipeToRecipe', 'source': 'Recipe', 'destination': 'Recipe',
        'predicate': \(python(predicate)), 'attributes': {'title': path('title')}}]
      """
    )
    try step.copy()
    let expected = try Program.sqlite3(step.scene.store, "SELECT ZTITLE FROM ZRECIPE WHERE \(sql) ORDER BY 1")
    #expect(try Program.sqlite3(step.made, "SELECT ZTITLE FROM ZRECIPE ORDER BY 1") == expected)
  }

  /// A text as Python writes it.
  private func python(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }

  // MARK: Entities

  @Test func `objects of exactly the entity are taken, and nothing comes by its name`() throws {
    let family = """
      <entity name="Base"><attribute name="x" optional="YES" attributeType="String"/></entity>
      <entity name="Below" parentEntity="Base"/><entity name="Side" parentEntity="Base"/>
      """
    let step = try MadeStep(
      family,
      family,
      rows: """
        INSERT INTO ZBASE (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 1, 1, 'base'), (2, 2, 1, 'below'), (3, 3, 1, 'side'),
          (4, 2, 1, 'below too')
        """,
      """
      [{'name': 'BaseToBase', 'type': 4, 'source': 'Base', 'destination': 'Base', 'attributes': {'x': path('x')}},
       {'name': 'SideToSide', 'type': 4, 'source': 'Side', 'destination': 'Side', 'attributes': {'x': path('x')}},
       {'name': 'Below', 'type': 3, 'source': 'Below'}]
      """
    )
    let report = try step.copy()
    let names =
      "SELECT Z_NAME, ZX FROM ZBASE JOIN Z_PRIMARYKEY p ON p.Z_ENT = ZBASE.Z_ENT ORDER BY 1"
    #expect(try step.rows(names) == ["'Base','base'", "'Side','side'"])
    #expect(try step.conversion().lostEntities == ["Below"])
    #expect(report["Below"]?.filtered == 2)
  }

  @Test func `what no mapping speaks of is left behind beside a file that freezes`() throws {
    let step = try MadeStep(
      Self.old,
      """
      <entity name="Person"><attribute name="name" optional="YES" attributeType="String"/></entity>
      <entity name="City"><attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="size" attributeType="Integer 16"/></entity>
      <entity name="Step"><attribute name="text" optional="YES" attributeType="String"/></entity>
      """,
      rows: Self.rows,
      "[{'name': 'PersonToPerson', 'source': 'Person', 'destination': 'Person', 'attributes': {'name': path('name')}}]"
    )
    let file = try Mapping(
      text:
        "entities: { Step: { drop: [recipe] } }\ncontract: { attributes: freeze, entities: freeze }",
      place: "map.yaml"
    )
    let conversion = try step.mappingModel.conversion(from: step.source, to: step.destination, besides: file)
    try step.copy(through: conversion.mapping)
    #expect(try step.rows("SELECT ZNAME FROM ZPERSON ORDER BY 1") == ["NULL", "'Ada'", "'Bo'"])
    #expect(try step.rows("SELECT count(*) FROM ZSTEP") == ["4"])
    #expect(try step.rows("SELECT count(*) FROM ZCITY") == ["0"])
    #expect(conversion.lostEntities == ["City", "Recipe"])
    #expect(conversion.lostProperties.map(\.description) == ["Person.home", "Person.recipes"])
  }

  @Test func `several entities become one, and one becomes several`() throws {
    let step = try MadeStep(
      """
      <entity name="A"><attribute name="x" optional="YES" attributeType="String"/></entity>
      <entity name="B"><attribute name="y" optional="YES" attributeType="String"/></entity>
      """,
      """
      <entity name="C"><attribute name="z" optional="YES" attributeType="String"/></entity>
      <entity name="D"><attribute name="w" optional="YES" attributeType="String"/></entity>
      """,
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX) VALUES (1, 1, 1, 'a1'), (2, 1, 1, 'a2');
        INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZY) VALUES (1, 2, 1, 'b1')
        """,
      """
      [{'name': 'AToC', 'source': 'A', 'destination': 'C', 'attributes': {'z': path('x')}},
       {'name': 'BToC', 'source': 'B', 'destination': 'C', 'attributes': {'z': path('y')}},
       {'name': 'AToD', 'source': 'A', 'destination': 'D', 'predicate': 'x == "a2"', 'attributes': {'w': path('x')}}]
      """
    )
    try step.copy()
    #expect(try step.rows("SELECT ZZ FROM ZC ORDER BY 1") == ["'a1'", "'a2'", "'b1'"])
    #expect(try step.rows("SELECT ZW FROM ZD") == ["'a2'"])
  }
}
