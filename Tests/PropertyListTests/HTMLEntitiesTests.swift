import Testing
import DecantXML

@Suite struct HTMLEntitiesTests {
  @Test(
    arguments: [
      ("eacute", "é"), ("amp", "&"), ("apos", "'"), ("hellip", "…"), ("frac12", "½"),
      ("frac13", "⅓"),
      ("nbsp", "\u{a0}"), ("Eacute", "É"), ("euro", "€"),
    ] as [(String, Unicode.Scalar)]
  )
  func `characters go by the names of HTML`(_ name: String, _ character: Unicode.Scalar) {
    #expect(HTMLEntities.character(named: name) == character)
  }

  @Test(arguments: ["", "EACUTE", "nothing", "eacute;", "x\u{0}y"])
  func `other names mean nothing`(_ name: String) {
    #expect(HTMLEntities.character(named: name) == nil)
  }
}
