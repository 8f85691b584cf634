import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What models ask of the values of their attributes, from wherever a model is read.
@Suite struct ValueRulesTests {
  private struct Case: Sendable, CustomTestStringConvertible {
    let type: String
    /// As the editor writes it.
    let source: String
    /// The compiled predicates, in Python.
    let compiled: String
    let rules: ValueRules

    init(_ type: String, _ source: String, _ compiled: String, _ rules: ValueRules) {
      (self.type, self.source, self.compiled, self.rules) = (type, source, compiled, rules)
    }

    var testDescription: String { "\(type) \(source)" }
  }

  private static let cases = [
    Case("Integer 16", "minValueString='-3'", "this(3, -3)", ValueRules(minimum: .integer(-3))),
    Case("Integer 32", "maxValueString='8'", "this(1, 8)", ValueRules(maximum: .integer(8))),
    Case(
      "Integer 64", "minValueString='0' maxValueString='9007199254740993'",
      "both(this(3, 0), this(1, 9007199254740993))",
      ValueRules(minimum: .integer(0), maximum: .integer(9_007_199_254_740_993))
    ),
    Case(
      "Double", "minValueString='0' maxValueString='0.1'", "this(3, 0), this(1, 0.1)",
      ValueRules(minimum: .double(0), maximum: .double(0.1))),
    Case("Float", "maxValueString='0.1'", "this(1, 0.1)", ValueRules(maximum: .double(Double(Float(0.1))))),
    Case("Decimal", "minValueString='1.50'", "this(3, decimal(15, -1))", ValueRules(minimum: .decimal("1.5"))),
    Case(
      "Date", "minDateTimeInterval='-86400' maxDateTimeInterval='0.5'",
      "both(this(3, datetime.datetime(2000, 12, 31)), this(1, datetime.datetime(2001, 1, 1, 0, 0, 0, 500000)))",
      ValueRules(minimum: .date(-86400), maximum: .date(0.5))
    ),
    Case(
      "String", "minValueString='3' maxValueString='50' regularExpressionString='[a-z]+'",
      "both(length(3, 3), length(1, 50)), matches('[a-z]+')",
      ValueRules(minimum: .integer(3), maximum: .integer(50), pattern: "[a-z]+")
    ),
    Case("Boolean", "minValueString='0'", "this(3, 0)", ValueRules()),
    Case("UUID", "minValueString='0' regularExpressionString='x'", "matches('x')", ValueRules()),
    // Nothing that the editor has: the text itself compared, strictly less, any of several, a part, without regard to
    // case, every element, a length that is no number; and predicates that are none.
    Case(
      "String", "",
      """
      this(3, 'a'), length(0, 5), either(length(3, 1), length(1, 2)), this(99, 'a'), matches('a', NSFlags=1),
      length(3, 1, NSModifier=1), length(3, 'x'), comparison(3, const(1), itself()), put('x'), made('NSTruePredicate'),
      compare(3, itself(), itself()), circle()
      """,
      ValueRules()
    ),
    Case("Integer 16", "", "length(3, 1), this(4, 1), this(3, 'x'), this(3, None)", ValueRules()),
    // The first that can be read counts.
    Case("Integer 16", "minValueString='2'", "this(3, 'x'), this(3, 2), this(3, 1)", ValueRules(minimum: .integer(2))),
  ]

  @Test(arguments: cases)
  private func `a model that Xcode wrote has the rules of its values`(_ each: Case) throws {
    let folder = try TemporaryFolder()
    let version = folder.url.appendingPathComponent("App.xcdatamodel")
    try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
    try Data(
      "<model><entity name='A'><attribute name='x' attributeType='\(each.type)' \(each.source)/></entity></model>".utf8
    )
    .write(to: version.appendingPathComponent("contents"))
    #expect(try ModelLocation(version.path).read()["A"]?.attributes.first?.rules == each.rules)
  }

  @Test(arguments: cases)
  private func `a compiled model has them too, and what is unknown is left out`(_ each: Case) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("App.mom")
    try MadeMappingModel.run(path, "\(Self.library)\nmodel(sys.argv[1], '\(each.type)', [\(each.compiled)])")
    #expect(try ModelLocation(path).read()["A"]?.attributes.first?.rules == each.rules)
  }

  private static let library = """
    import struct
    def itself(): return made('NSSelfExpression', NSExpressionType=1)
    def compare(number, left, right, **flags):
        how = put({'$class': of('NSComparisonPredicateOperator'), 'NSOperatorType': number, 'NSModifier': 0, **flags})
        return put({'$class': of('NSComparisonPredicate', 'NSPredicate'), 'NSLeftExpression': left,
                    'NSRightExpression': right, 'NSPredicateOperator': how})
    def comparison(number, left, right): return compare(number, left, right)
    def this(number, value, **flags):
        return compare(number, itself(), const(value), **flags)
    def length(number, value, **flags):
        specifier = made('NSKeyPathSpecifierExpression', NSExpressionType=10, NSKeyPath=put('length'))
        left = made('NSKeyPathExpression', NSExpressionType=3, NSOperand=itself(),
                    NSSelectorName=put('valueForKey:'), NSArguments=array([specifier]))
        return compare(number, left, const(value), **flags)
    def matches(pattern, **flags): return this(6, pattern, **flags)
    def compound(kind, parts):
        return put({'$class': of('NSCompoundPredicate', 'NSPredicate'), 'NSCompoundPredicateType': kind,
                    'NSSubpredicates': array(list(parts))})
    def both(*parts): return compound(1, parts)
    def either(*parts): return compound(2, parts)
    def circle():
        place = compound(1, [])
        objects[objects[place.data]['NSSubpredicates'].data]['NS.objects'] = [place, place]
        return place
    def decimal(digits, exponent):
        return {'$class': of('NSDecimalNumber', 'NSNumber'), 'NS.mantissa': struct.pack('<8H', digits, *[0] * 7),
                'NS.exponent': exponent, 'NS.length': 1, 'NS.negative': False, 'NS.mantissa.bo': 1, 'NS.compact': True}
    numbers = {'Integer 16': 100, 'Integer 32': 200, 'Integer 64': 300, 'Decimal': 400, 'Double': 500, 'Float': 600,
               'String': 700, 'Boolean': 800, 'Date': 900, 'UUID': 1100}
    def dictionary(entries):
        return put({'$class': of('NSDictionary'), 'NS.keys': [put(k) for k in entries], 'NS.objects': list(entries.values())})
    def model(path, kind, predicates):
        attribute = put({'$class': of('NSAttributeDescription'), 'NSPropertyName': put('x'),
                         'NSAttributeType': numbers[kind], 'NSValidationPredicates': array(predicates)})
        entity = put({'$class': of('NSEntityDescription'), 'NSEntityName': put('A'),
                      'NSProperties': dictionary({'x': attribute})})
        save(path, put({'$class': of('NSManagedObjectModel'), 'NSEntities': dictionary({'A': entity})}))
    """
}

/// The rules in the model caches of real stores, as a reader in Python found them.
@Suite(.enabled(if: Fixtures.areAvailable)) struct RealValueRulesTests {
  @Test(
    arguments: [
      ("cdp-samplemodel2-v2", ["title 3...50"]),
      ("easylife-first", ["repeats 0...-"]),
      ("cyface-v6", ["accelerationsCount 0...-", "trackLength 0...-"]),
      ("cyface-v1", []),
    ]
  )
  func `real stores have the rules of their models`(_ store: String, _ expected: [String]) throws {
    #expect(try Self.rules(try ExpectedStore.readModel(store)) == expected)
  }

  @Test func `an archive keeps the rules`() throws {
    let folder = try TemporaryFolder()
    let path = try Fixtures.copyStore(GroundTruth(of: "easylife-first").file, into: folder.url).path
    _ = try Export(from: path, to: folder.path("all.decant")).run()
    let store = try Store(StoreKinds.location(folder.path("all.decant")))
    #expect(try Self.rules(store.model) == ["repeats 0...-"])
  }

  private static func rules(_ model: Decant.Model) throws -> [String] {
    func text(_ bound: Value?) -> String {
      switch bound {
      case .integer(let number): "\(number)"
      case .double(let number): "\(Int(number))"
      case nil: "-"
      default: "?"
      }
    }
    return model.entities.flatMap(\.attributes).filter { !$0.rules.isEmpty }
      .map { "\($0.name) \(text($0.rules.minimum))...\(text($0.rules.maximum))" }.sorted()
  }
}
