import Foundation
import Testing

@testable import DecantBase
@testable import DecantMapping
@testable import DecantPlan

/// Files that mean harm: each is refused at once, whatever it would stand for.
@Suite struct MappingHostileTests {
  private func error(_ text: String) -> DecantError? {
    do throws(DecantError) {
      _ = try Mapping(text: text, place: "map.yaml")
      return nil
    } catch {
      return error
    }
  }

  /// Lines of which each stands for ten of the one before.
  private var laughs: String {
    var text = "a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha, ha]\n"
    for line in 1...40 {
      let ten = Array(repeating: "*a\(line - 1)", count: 10).joined(separator: ", ")
      text += "a\(line): &a\(line) [\(ten)]\n"
    }
    return text
  }

  /// Were they told, they would fill the memory.
  @Test func `a billion laughs are refused at the first one`() {
    for text in [laughs, laughs + "? *a40\n: x\n", laughs + "*a40 : x\n"] {
      #expect(error(text)?.place == "map.yaml:1:5")
    }
  }

  @Test(
    arguments: [
      ("[", "]"), ("{a: ", "}"), ("- ", ""), ("[{a: ", "}]"), ("[[a]: ", "]"),
    ]
  )
  func `values that lie deep in each other are refused`(_ open: String, _ close: String) {
    for depth in [33, 200, 999, 1000, 1001, 5000, 100_000] {
      let begin = String(repeating: open, count: depth)
      for text in [begin, begin + "x" + String(repeating: close, count: depth)] {
        let error = error(text)
        #expect(error?.family == .usage)
      }
    }
  }

  @Test func `how deep is too deep is told with its place`() {
    let text = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
    #expect(error(text)?.message == "lists and maps are nested too deeply")
    #expect(error(text)?.place == "map.yaml:1:33")
    let deeper = String(repeating: "[", count: 5000)
    #expect(error(deeper)?.message == "lists and maps are nested too deeply")
    #expect(error(deeper)?.place == "map.yaml:1:33")
  }

  @Test func `a caller's stack may be small`() async {
    let place = await withCheckedContinuation { continuation in
      let thread = Thread {
        let deep = error(String(repeating: "{a: ", count: 990))
        continuation.resume(returning: deep?.place)
      }
      thread.stackSize = 256 << 10
      thread.start()
    }
    #expect(place == "map.yaml:1:126")
  }

  @Test func `deep indentation is refused`() {
    var text = ""
    for depth in 0..<1400 { text += String(repeating: " ", count: depth) + "a:\n" }
    #expect(error(text)?.message == "lists and maps are nested too deeply")
  }

  @Test func `a text of a megabyte is read, and one larger is not`() throws {
    let line = "# " + String(repeating: "x", count: 97) + "\n"
    let text = String(repeating: line, count: 10_485) + String(repeating: "#", count: 76)
    #expect(text.utf8.count == 1 << 20)
    #expect(try Mapping(text: text, place: "m") == Mapping(place: "m"))
    let error = error(text + "#")
    #expect(error?.family == .usage)
    #expect(error?.message == "“map.yaml” is larger than 1 MiB, the limit for a mapping")
  }

  @Test func `many keys that stand twice take no longer than one`() {
    let names = (0..<2000).map { "k\($0): 1" }.joined(separator: "\n")
    let error = error(names + "\n" + names)
    #expect(error?.family == .usage)
    #expect(error?.message == "duplicate key “k0”, first in line 1")
    #expect(error?.place == "map.yaml:2001:1")
  }

  @Test func `a long name is not told whole`() {
    let name = String(repeating: "long", count: 50_000)
    let error = error("decant: 1\n\"\(name)\u{202E}\": 1\n")
    #expect(error?.family == .usage)
    #expect((error?.description.count ?? .max) < 400)
  }
}
