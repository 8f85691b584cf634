import Testing

@testable import DecantRecipeFormats

/// What tells pages apart.
@Suite struct PageAddressTests {
  @Test(
    arguments: [
      ("https://www.Example.com/Soup/", "example.com/Soup"), ("HTTP://example.com/a//", "example.com/a"),
      ("http://example.com", nil), ("https://www.example.com/", nil), ("https://www.example/soup", nil),
      ("https://example/soup", nil), ("https://.example.com/soup", nil), ("ftp://example.com/a", nil),
      ("example.com/a", nil),
      ("https:\u{f}\u{f}example.com/a", nil), ("https://a.b/c/d_e-f.~g", "a.b/c/d_e-f.~g"),
      (" https://a.b/c\n", "a.b/c"),
      ("https://a.b:443/c", "a.b/c"), ("https://me@a.b/c", "a.b/c"), ("https://a.b/c?utm_source=x", "a.b/c"),
      ("https://a.b/c?d=1#e", "a.b/c?d=1"), ("https://a.b/c#!d", "a.b/c#!d"), ("https://a.b/Käse", "a.b/Käse"),
      ("https://a.b/%20c", "a.b/%20c"), ("https://www.www.a.b/c", "www.a.b/c"), ("https:///c.d/e", nil),
      ("https://", nil),
      ("https://a.b/c d", nil), ("https://WWW.A.B/C", "a.b/C"),
    ] as [(String, String?)])
  func `an address is one however it is written`(_ text: String, _ page: String?) {
    #expect(PageAddress.normalized(text) == page)
  }
}
