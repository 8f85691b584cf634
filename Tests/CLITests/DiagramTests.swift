import Foundation
import TestSupport
import Testing

/// What `decant inspect --diagram` writes, held against what `inspect --json` says.
@Suite struct DiagramTests {
  private let place: CommandFolder

  init() throws {
    place = try CommandFolder()
    // Names that mean something in each of the languages.
    _ = try Program.sqlite3(
      place.folder.path("odd.db"),
      """
      CREATE TABLE "a""b<c>&d\\e" (id INTEGER PRIMARY KEY); CREATE TABLE "];}%%{ : #quot" (
        id INTEGER PRIMARY KEY, "<br/>-- x" INTEGER REFERENCES "a""b<c>&d\\e" ON DELETE CASCADE);
      INSERT INTO "a""b<c>&d\\e" VALUES (1), (2); INSERT INTO "];}%%{ : #quot" VALUES (1, 2), (2, 9)
      """
    )
  }

  private struct Inspection: Decodable {
    struct Model: Decodable { let entities: [Entity] }
    struct Entity: Decodable {
      let name: String
      let superentity: String?
      let objects: Int
      let relationships: [Relationship]
    }
    struct Relationship: Decodable {
      let name: String
      let inverse: String?
      let deleteRule: String
    }
    let model: Model
  }

  private func inspection(_ store: String) throws -> Inspection {
    let run = try place.run(["inspect", store, "--json"])
    return try JSONDecoder().decode(Inspection.self, from: Data(run.output.utf8))
  }

  private func text(_ name: String) throws -> String {
    String(decoding: try #require(place.content(name)), as: UTF8.self)
  }

  /// The text with what the languages write as references read again.
  private func plain(_ text: String) -> String {
    var text = text
    for match in text.matches(of: /&?#(\d+);/).reversed() {
      guard let scalar = UInt32(match.1).flatMap(Unicode.Scalar.init) else { continue }
      text.replaceSubrange(match.range, with: String(Character(scalar)))
    }
    for (reference, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&amp;", "&")] {
      text = text.replacingOccurrences(of: reference, with: character)
    }
    return text
  }

  @Test(arguments: ["Kitchen.sqlite", "odd.db"], ["dot", "mmd"])
  func `every entity and relationship is in the graph once`(_ store: String, _ ending: String) throws {
    let run = try place.run(["inspect", store, "--diagram", "model.\(ending)"])
    #expect(run.status == 0, "\(run.errors)")
    let graph = try text("model.\(ending)")
    let lines = graph.split(separator: "\n").map(String.init)
    let entities = try inspection(store).model.entities
    let boxes = lines.filter { $0.contains(ending == "dot" ? /^  e\d+ \[label=/ : /^  class e\d+\[/) }
    #expect(boxes.count == entities.count)
    for (box, entity) in zip(boxes, entities) {
      #expect(plain(box).contains(entity.name))
      #expect(entity.objects == 0 || plain(box).contains(" \(entity.objects) ") || box.contains(">\(entity.objects) "))
    }
    let edges = lines.filter { $0.contains(ending == "dot" ? "arrowhead=crow" : " : ") || $0.contains("arrowhead=tee") }
    let ends = entities.flatMap(\.relationships)
    // A pair of inverses is one edge.
    #expect(edges.count == ends.count { $0.inverse == nil } + ends.count { $0.inverse != nil } / 2)
    let label = plain(edges.joined(separator: "\n"))
    for entity in entities {
      for end in entity.relationships {
        // What a plain database does with other rows is not read.
        let rule = store == "odd.db" ? "" : " (\(end.deleteRule)"
        #expect(label.contains("\(entity.name).\(end.name)\(rule)"), "\(end.name)")
      }
    }
    #expect(store != "odd.db" || !label.contains("nullify"))
    let inheriting = lines.filter { $0.contains("onormal") || $0.contains("<|--") }
    #expect(inheriting.count == entities.count { $0.superentity != nil })
  }

  private static let hasGraphviz =
    (try? Program.run(["dot", "-V"], in: FileManager.default.temporaryDirectory))?.status == 0

  @Test(.enabled(if: hasGraphviz), arguments: ["Kitchen.sqlite", "odd.db"])
  func `Graphviz draws it`(_ store: String) throws {
    let run = try place.run(["inspect", store, "--diagram", "model.svg"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("drawn by Graphviz"))
    let picture = try text("model.svg")
    #expect(picture.contains("<svg"))
    let reader = """
      import sys, xml.etree.ElementTree as tree
      for text in tree.parse(sys.argv[1]).iter('{http://www.w3.org/2000/svg}text'): print(text.text)
      """
    let texts = try Program.run(["python3", "-c", reader, "model.svg"], in: place.url)
    let shown = texts.output.split(separator: "\n").map(String.init)
    for entity in try inspection(store).model.entities {
      #expect(shown.contains { $0.replacingOccurrences(of: "\u{a0}", with: " ") == entity.name }, "\(shown)")
    }
  }

  private func run(path: String, _ arguments: [String]) throws -> Program {
    try Program.run([DecantProgram.path] + arguments, in: place.url, environment: ["PATH": path])
  }

  @Test func `without Graphviz a file for Mermaid is written, and it is said`() throws {
    let run = try self.run(path: place.folder.path("nowhere"), ["inspect", "Kitchen.sqlite", "--diagram", "model.svg"])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("model.mmd"))
    #expect(run.output.contains("Graphviz is not installed"))
    #expect(try text("model.mmd").hasPrefix("classDiagram\n"))
    #expect(try place.names() == ["Guests.sqlite", "Kitchen.sqlite", "model.mmd", "odd.db"])
  }

  @Test func `what Graphviz says when it fails is told, and nothing is left`() throws {
    let tools = place.url.appendingPathComponent("tools")
    try FileManager.default.createDirectory(at: tools, withIntermediateDirectories: true)
    let script = tools.appendingPathComponent("dot")
    try Data("#!/bin/sh\necho 'no fonts here' >&2\nexit 3\n".utf8).write(to: script)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
    let run = try self.run(path: tools.path, ["inspect", "Kitchen.sqlite", "--diagram", "model.svg"])
    #expect(run.status == 1)
    #expect(run.errors.contains("no fonts here"))
    #expect(try place.names() == ["Guests.sqlite", "Kitchen.sqlite", "odd.db", "tools"])
  }

  @Test func `a place that cannot be right is refused before the store is read`() throws {
    try place.expect(["inspect", "nowhere.sqlite", "--diagram", "model.png"], 64, ".svg, .dot or .mmd")
    try place.expect(["inspect", "nowhere.sqlite", "--diagram", "model"], 64, ".svg, .dot or .mmd")
    try Data("kept".utf8).write(to: place.url.appendingPathComponent("model.svg"))
    try place.expect(["inspect", "nowhere.sqlite", "--diagram", "model.svg"], 64, "already exists")
    #expect(try text("model.svg") == "kept")
    try place.expect(["inspect", "Kitchen.sqlite", "--diagram", "a.svg", "--json"], 64, "--diagram")
  }
}
