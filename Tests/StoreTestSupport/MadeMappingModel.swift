package import Decant
internal import Foundation
internal import TestSupport

/// Mapping models that Python writes: its `plistlib` shares no code with decant.
package enum MadeMappingModel {
  /// Writes a compiled mapping model.
  ///
  /// - Parameters:
  ///   - path: Where to.
  ///   - mappings: A Python list of entity mappings, each a dictionary with `name`, `type`, `source`, `destination`,
  ///     and where there are such `predicate`, `policy`, `fetch` (another source expression), `attributes` and
  ///     `relationships`, dictionaries of expressions. An expression is made by `var`, `path`, `const`, `call`,
  ///     `through` and `related`.
  /// - Throws: Where Python fails.
  package static func write(_ path: String, _ mappings: String) throws {
    try run(path, "write(sys.argv[1], \(mappings))")
  }

  /// Runs lines of Python that write to `path`, which is `sys.argv[1]`.
  package static func run(_ path: String, _ lines: String) throws {
    let run = try Program.run(["python3", "-c", "\(library)\n\(lines)\n", path])
    guard run.status == 0 else { throw Program.Failure(program: "python3", errors: run.errors) }
  }

  /// What the script of a mapping model may use.
  private static let library = """
    import plistlib, sys, datetime
    U = plistlib.UID
    objects, classes = ['$null'], {}
    def put(value):
        objects.append(value); return U(len(objects) - 1)
    def of(name, *above):
        if name not in classes:
            classes[name] = put({'$classname': name, '$classes': [name, *above, 'NSObject']})
        return classes[name]
    def made(name, **keys):
        return put({'$class': of(name, 'NSExpression'), **keys})
    def array(items):
        return put({'$class': of('NSArray'), 'NS.objects': items})
    def var(name): return made('NSVariableExpression', NSExpressionType=2, NSVariable=put(name))
    def const(value):
        if isinstance(value, datetime.datetime):
            seconds = (value - datetime.datetime(2001, 1, 1)).total_seconds()
            value = {'$class': of('NSDate'), 'NS.time': seconds}
        node = U(0) if value is None else put(value)
        return made('NSConstantValueExpression', NSExpressionType=0, NSConstantValue=node)
    def call(operand, selector, *arguments):
        return made('NSFunctionExpression', NSExpressionType=4, NSOperand=operand,
                    NSSelectorName=put(selector), NSArguments=array(list(arguments)))
    def path(names, operand=None):
        specifier = made('NSKeyPathSpecifierExpression', NSExpressionType=10, NSKeyPath=put(names))
        return made('NSKeyPathExpression', NSExpressionType=4, NSOperand=operand or var('source'),
                    NSSelectorName=put('valueForKeyPath:'), NSArguments=array([specifier]))
    def through(mapping, source):
        return call(var('manager'), 'destinationInstancesForEntityMappingNamed:sourceInstances:',
                    const(mapping), source)
    def related(name, source):
        return call(var('manager'), 'destinationInstancesForSourceRelationshipNamed:sourceInstances:',
                    const(name), source)
    def fetched(entity, predicate, *more):
        request = call(var('manager'), 'fetchRequestForSourceEntityNamed:predicateString:'
                       + ('includesSubentities:' if more else ''),
                       const(entity), const(predicate), *[const(m) for m in more])
        return made('NSFetchRequestExpression', NSExpressionType=50, NSCountOnlyFlag=False,
                    NSFRExpression=request, NSMOCExpression=path('sourceContext', var('manager')))
    def properties(given):
        return array([put({'$class': of('NSPropertyMapping'), 'NSDestinationPropertyName': put(name),
                           'NSValueExpression': value or U(0), 'NSUserInfo': U(0),
                           'NSPropertyTransforms': U(0)}) for name, value in (given or {}).items()])
    def text(value): return U(0) if value is None else put(value)
    def entity(m):
        source = m.get('source')
        fetch = m.get('fetch') or (source and fetched(source, m.get('predicate', 'TRUEPREDICATE')))
        return put({'$class': of('NSEntityMapping'), 'NSMappingName': put(m['name']),
                    'NSMappingType': m.get('type', 5), 'NSSourceEntityName': text(source),
                    'NSDestinationEntityName': text(m.get('destination')),
                    'NSSourceEntityVersionHash': text(m.get('sourceHash')),
                    'NSDestinationEntityVersionHash': text(m.get('destinationHash')),
                    'NSSourceExpression': fetch or U(0), 'NSUserInfo': U(0),
                    'NSEntityMigrationPolicyClassName': text(m.get('policy')),
                    'NSAttributeMappings': properties(m.get('attributes')),
                    'NSRelationshipMappings': properties(m.get('relationships'))})
    def save(place, root):
        with open(place, 'wb') as file:
            plistlib.dump({'$archiver': 'NSKeyedArchiver', '$version': 100000, '$objects': objects,
                           '$top': {'root': root}}, file, fmt=plistlib.FMT_BINARY)
    def write(place, mappings):
        entities = array([entity(m) for m in mappings])
        save(place, put({'$class': of('NSMappingModel'), 'NSEntityMappings': entities}))
    """
}

/// A step between two versions of a made model, with a store of the first and a mapping model for the step.
package struct MadeStep {
  package let scene: VersionScene
  package let mappingModel: MappingModel
  package let source: Model
  package let destination: Model
  package var made: String { scene.folder.path("made.sqlite") }

  /// Makes all of it; `mappings` is as `MadeMappingModel.write` has it.
  package init(_ old: String, _ new: String, rows: String, _ mappings: String) throws {
    scene = try VersionScene([old, new], rows: rows)
    let place = scene.folder.path("Step.cdm")
    try MadeMappingModel.write(place, mappings)
    mappingModel = try MappingModel.read(place)
    source = try ModelLocation(scene.bundle + "#Pantry").read()
    destination = try ModelLocation(scene.bundle + "#Pantry 2").read()
  }

  package func conversion() throws -> MappingModelConversion {
    try mappingModel.conversion(from: source, to: destination)
  }

  /// Copies the store through the mapping model into a new one of the second version.
  @discardableResult
  package func copy(through mapping: Mapping? = nil) throws -> CopyReport {
    var options = CopyOptions()
    options.mapping = try mapping ?? conversion().mapping
    options.model = scene.bundle + "#Pantry"
    options.template = scene.bundle + "#Pantry 2"
    options.isUnversioned = true
    return try Copy(from: scene.store, to: made, options: options).run()
  }

  /// The rows that a query of the made store gives, as SQL literals.
  package func rows(_ sql: String) throws -> [String] {
    try Program.sqlite3(made, sql, isQuoted: true).split(separator: "\n").map(String.init)
  }
}
