import DecantBase
import Testing

@testable import DecantRecipeFormats
@testable import DecantRecipes

@Suite struct RecipeLossNotesTests {
  @Test func `what a cook has written comes first, and what belongs together is counted once`() {
    var notes = RecipeLossNotes()
    notes.add(["created", "ingredients.unit", "ingredients.name", "rating"], unread: [], of: "A")
    notes.add(["ingredients.amount", "steps", "steps.extra"], unread: [], of: "B")
    #expect(
      notes.notes("X").commandLine == [
        "X cannot hold: steps (1 recipe)",
        "X cannot hold: rating (1 recipe)",
        "X cannot hold: date of creation (1 recipe)",
        "X cannot hold: amount, unit, name and note of an ingredient apart from its line (2 recipes)",
        "X cannot hold: fields of other formats: of steps (1)",
      ]
    )
  }

  @Test func `fields of other formats share a line`() {
    var notes = RecipeLossNotes()
    notes.add(["rating", "extra.b", "extra.a"], unread: [], of: "A")
    notes.add(["extra.b", "extra.b"], unread: ["extra that is not a JSON object"], of: "B\u{1b}[2J")
    #expect(
      notes.notes("X").commandLine == [
        "X cannot hold: rating (1 recipe)",
        "X cannot hold: fields of other formats: a (1), b (2)",
        "not written: extra that is not a JSON object, of “B[2J”",
      ]
    )
  }

  @Test(arguments: [
    ("PT1H30M", true), ("P1DT2H", true), ("PT90M", true), ("P0DT0H30M", true), ("P2W", true),
    ("PT", false), ("P", false), ("PT1H30", false), ("PT30M1H", false), ("P1H", false),
    ("pt1h", false), ("Plus 1 hour", false), ("PT1H ", false), ("", false),
  ])
  func `durations are told from words`(_ text: String, _ isDuration: Bool) {
    #expect(SchemaObject.isDuration(text) == isDuration)
  }

  @Test(
    arguments: [
      (90.0, "PT1H30M"), (0.5, "PT30S"), (1440, "PT24H"), (0, nil), (-90, nil), (.infinity, nil),
      (.nan, nil), (1e300, nil),
    ] as [(Double, String?)]
  )
  func `minutes become durations`(_ minutes: Double, _ text: String?) {
    #expect(Durations.iso(minutes) == text)
  }

  @Test func `numbers have no fraction that says nothing`() {
    #expect(AmountText.text(4) == "4" && AmountText.text(1.5) == "1.5")
    #expect(AmountText.text(1 / 3) == "0.333" && AmountText.text(0.0001) == "0.0001")
    #expect(AmountText.text(1e308) == "1e+308" && AmountText.text(0) == "0")
  }
}
