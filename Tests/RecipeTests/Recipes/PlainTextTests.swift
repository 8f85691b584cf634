import DecantBase
import TestSupport
import Testing

@testable import DecantRecipeFormats

/// Text that may be HTML.
@Suite struct PlainTextTests {
  @Test(arguments: [
    ("Salt &amp; pepper", "Salt & pepper"), ("it&#39;s", "it's"), ("it&amp;#39;s", "it's"),
    ("&#x27;", "'"),
    ("caf&eacute; &frac12;&nbsp;cup", "café ½ cup"), ("a&#150;b", "a–b"), ("&amp;amp;", "&"),
    ("<p>One</p><p>Two</p>", "One\nTwo"), ("<p>One</p>\n\n<p>Two</p>", "One\nTwo"),
    ("One<br>Two<br />Three<BR/>Four", "One\nTwo\nThree\nFour"), ("One<br>\nTwo", "One\nTwo"),
    ("One<br><br>Two", "One\n\nTwo"), ("<ol><li>One</li><li>Two</li></ol>", "One\nTwo"),
    ("a <b>bold</b> <a href=\"x>y\">link</a>", "a bold link"), ("<!-- no -->yes", "yes"),
    ("a<script>var b = '<p>';</script>c", "ac"), ("&lt;p&gt;One&lt;/p&gt;Two", "One\nTwo"),
    ("<img src='a.jpg' alt=\"it's > that\">Text", "Text"), ("<a href=\"broken>Text", "Text"),
  ])
  func `HTML becomes plain text`(_ text: String, _ expected: String) {
    #expect(PlainText.of(text) == expected)
  }

  @Test(arguments: [
    "a < b", "a <b", "<3 eggs", "x < y > z", "R&D", "R&D; more", "& alone", "&unknown;", "&#0;",
    "&#xyz;", "&;",
    "<not a tag>", "one\n\ntwo", "<", "&", "1 < 2 & 3 > 2", "<br", "50 <100 g>", "a\n  b\n",
  ])
  func `plain text stays as it is`(_ text: String) {
    #expect(PlainText.of(text) == text.trimmed)
  }

  @Test func `lines are trimmed, and empty ones left out`() {
    #expect(PlainText.lines("<p> One </p>\r\n\r\n Two\n") == ["One", "Two"])
    #expect(PlainText.lines("  ").isEmpty)
  }

  @Test(arguments: [
    "<", "&", "<a ", "<a '", "<a \"", "<!--", "<script>", "&amp;", "&#", "<br>", "&amp;amp;lt;",
  ])
  func `time is linear`(_ unit: String) {
    let small = CPUTime.of { _ = PlainText.of(String(repeating: unit, count: 2_000)) }
    let large = CPUTime.of { _ = PlainText.of(String(repeating: unit, count: 40_000)) }
    // What is quadratic takes four hundred times as long.
    #expect(large < max(.seconds(1), small * 100))
  }
}
