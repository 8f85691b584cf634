import Decant
import Foundation
import TestSupport
import Testing

/// Pages that were saved with their pictures, in the forms that browsers have for it.
@Suite struct SavedPageTests {
  private let shelf: RecipeShelf

  init() throws { shelf = try RecipeShelf() }

  /// A page at https://example.com/food/soup with a main picture, two of steps, and one of nothing.
  private static let page = #"""
    import plistlib, quopri, os, zlib, struct, hashlib, email.message, email.policy
    def picture(red):
        def chunk(kind, data):
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        rows = b"".join(b"\0" + bytes([red, y, x]) * 1 for y in range(1) for x in range(1))
        return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
    base = "https://example.com/food/"
    pictures = {"up/soup-1024x683.png": picture(1), "up/boil.png": picture(2), "up/logo.png": picture(3),
                "up/serve it.png": picture(4)}
    data = {"@context": "https://schema.org", "@type": "Recipe", "name": "Käse soup",
            "image": [base + "up/soup.png", base + "up/soup-500x500.png"],
            "recipeIngredient": ["1 l water", "200 g cheese"],
            "recipeInstructions": [
                {"@type": "HowToStep", "text": "Boil.", "image": base + "up/boil.png"},
                {"@type": "HowToStep", "text": "Serve.", "image": {"@type": "ImageObject", "url": base + "up/serve%20it.png?w=2"}}]}
    def html(show):
        images = "".join(f'<p><img alt="" {show(name)}></p>' for name in pictures)
        return ('<!DOCTYPE html><html><head><meta charset="utf-8"><title>Soup</title><script type="application/ld+json">'
                + json.dumps(data, ensure_ascii=False) + f"</script></head><body><h1>Käse soup</h1>{images}</body></html>").encode()
    def quoted(name): return name.replace(" ", "%20")
    def write(name, data):
        os.makedirs(os.path.dirname(os.path.join(place, name)) or place, exist_ok=True)
        open(os.path.join(place, name), "wb").write(data)
    def mail(text, how, extra=()):
        out = [b"From: <Saved by Blink>\r\nSnapshot-Content-Location: " + base.encode() + b"soup\r\nSubject: Soup\r\n"
               b"MIME-Version: 1.0\r\nContent-Type: multipart/related;\r\n\ttype=\"text/html\";\r\n\tboundary=\"----part\"\r\n\r\n"]
        def part(kind, location, body, coding, id=None):
            out.append(b"\r\n------part\r\nContent-Type: " + kind + (b"\r\nContent-ID: <" + id + b">" if id else b"")
                       + b"\r\nContent-Transfer-Encoding: " + coding + b"\r\nContent-Location: " + location + b"\r\n\r\n"
                       + body)
        part(b"text/html", base.encode() + b"soup", quopri.encodestring(text).replace(b"\n", b"\r\n"), b"quoted-printable")
        for number, (name, bytes) in enumerate(pictures.items()):
            body = base64.encodebytes(bytes).replace(b"\n", b"\r\n") if how == "base64" else bytes
            part(b"image/png", base.encode() + quoted(name).encode(), body, how.encode(), b"%d@x" % number)
        part(b"text/html", b"cid:frame@mhtml.blink", b"<html>a frame</html>", b"7bit")
        return b"".join(out) + b"\r\n------part--\r\n"
    def archive(text, form):
        def resource(url, data, kind, **more): return {"WebResourceURL": url, "WebResourceData": data, "WebResourceMIMEType": kind, **more}
        return plistlib.dumps({"WebMainResource": resource(base + "soup", text, "text/html", WebResourceTextEncodingName="UTF-8", WebResourceFrameName=""),
            "WebSubresources": [resource(base + quoted(name), bytes, "image/png") for name, bytes in pictures.items()]}, fmt=form)
    """#

  /// How a page is saved, as Python that writes it.
  private static let forms = [
    "complete": #"""
    for name, bytes in pictures.items(): write("Soup_files/" + os.path.basename(name), bytes)
    write("Soup.html", html(lambda name: f'src="./Soup_files/{quoted(os.path.basename(name))}"'))
    """#,
    "folder in German": #"""
    for name, bytes in pictures.items(): write("Soup-Dateien/" + os.path.basename(name), bytes)
    write("Soup.htm", html(lambda name: f'src="Soup-Dateien/{quoted(os.path.basename(name))}"'))
    """#,
    "other file names": #"""
    for number, bytes in enumerate(pictures.values()): write(f"Soup files/{number}", bytes)
    numbers = {name: number for number, name in enumerate(pictures)}
    write("Soup.html", html(lambda name: f'src="Soup%20files/{numbers[name]}" data-lazy-src="{base}{quoted(name)}"'))
    """#,
    "srcset": #"""
    for number, bytes in enumerate(pictures.values()): write(f"Soup files/{number}.png", bytes)
    numbers = {name: number for number, name in enumerate(pictures)}
    write("Soup.html", html(lambda name: f'src="Soup%20files/{numbers[name]}.png" srcset="{base}{quoted(name)} 1x, https://example.com/x.png 2x"'))
    """#,
    "mhtml": "write('Soup.mhtml', mail(html(lambda name: f'src=\"{base}{quoted(name)}\"'), 'base64'))",
    "mhtml, relative": "write('Soup.mht', mail(html(lambda name: f'src=\"{quoted(name)}\"'), 'binary'))",
    "mhtml, by identifier": #"""
    numbers = {name: number for number, name in enumerate(pictures)}
    text = html(lambda name: f'src="cid:{numbers[name]}@x" data-src="{base}{quoted(name)}"')
    write("Soup.mhtml", mail(text, "base64").replace(b"Content-Location: " + base.encode() + b"up/", b"Content-Location: x:"))
    """#,
    "web archive":
      "write('Soup.webarchive', archive(html(lambda name: f'src=\"{quoted(name)}\"'), plistlib.FMT_BINARY))",
    "web archive, XML":
      "write('Soup.webarchive', archive(html(lambda name: f'src=\"/food/{quoted(name)}\"'), plistlib.FMT_XML))",
    "data, tiny": #"""
    write("Soup.html", html(lambda name: 'src="data:image/png;base64,' + base64.b64encode(pictures[name]).decode()
        + f'" data-src="{base}{quoted(name)}"').replace(b"<html>", b"<html><!--\n Page saved with SingleFile \n-->"))
    """#,
    "data": #"""
    write("Soup.html", html(lambda name: 'src="data:image/png;base64,' + base64.b64encode(pictures[name]).decode()
        + f'" data-sf-original-src="{base}{quoted(name)}"'))
    """#,
  ]

  @Test(arguments: Self.forms.keys.sorted())
  func `the pictures of a recipe and of its steps come along as they are`(_ form: String) throws {
    let script = Self.page + "\n" + (try #require(Self.forms[form]))
    try shelf.make("saved", script)
    let report = try shelf.import("saved")
    #expect(!report.notes.commandLine.contains { $0.contains("missing") }, "\(report.notes.commandLine)")
    #expect(try shelf.value("SELECT group_concat(title) FROM Recipe") == "Käse soup")
    let rows = try shelf.value(
      """
      SELECT group_concat(coalesce(s.text, 'main') || ' ' || hex(i.data), char(10)) FROM
        (SELECT * FROM Image ORDER BY recipe_position) AS i LEFT JOIN Step AS s ON s.id = i.step_id
      """)
    let expected = try Program.run([
      "python3", "-c",
      Self.page.replacingOccurrences(of: "import plistlib", with: "import json, base64, plistlib")
        + "\nfor name, red in (('main', 1), ('Boil.', 2), ('Serve.', 4)): print(name, picture(red).hex().upper())",
    ])
    #expect(rows == expected.output.trimmingCharacters(in: .newlines), "\(form)")
  }

  @Test func `a picture outside of the folder of the page is not read`() throws {
    let script =
      Self.page + #"""

        outside = os.path.join(os.path.dirname(place), "secret.png")
        open(outside, "wb").write(pictures["up/boil.png"])
        os.makedirs(place + "/Soup_files", exist_ok=True)
        os.symlink(outside, place + "/Soup_files/soup-1024x683.png")
        write("Soup.html", html(lambda name: f'src="../secret.png" data-src="{base}{quoted(name)}"')
              + f'<img src="{outside}" alt="Käse soup"><img src="file://{outside}" alt="Käse soup">'.encode())
        """#
    try shelf.make("saved", script)
    try shelf.import("saved/Soup.html")
    #expect(try shelf.value("SELECT count(*) FROM Image") == "0")
    #expect(try shelf.value("SELECT count(*) FROM Recipe") == "1")
  }

  @Test func `a file that was cut says so, and keeps what came`() throws {
    let write = "data = mail(html(lambda name: f'src=\"{base}{quoted(name)}\"'), 'base64')\n"
    try shelf.make("saved", Self.page + "\n" + write + "write('Soup.mhtml', data[:len(data) - 600])")
    let report = try shelf.import("saved/Soup.mhtml")
    #expect(report.notes.commandLine.contains { $0.contains("the file is truncated") }, "\(report.notes.commandLine)")
    #expect(try shelf.value("SELECT count(*) FROM Recipe") == "1")
    #expect(try shelf.value("SELECT count(*) FROM Image") == "2")
  }

  @Test(arguments: [
    "bplist00\u{1}WebMainResource", "<?xml version=\"1.0\"?><plist><dict><key>WebMainResource</key></dict></plist>",
  ])
  func `a damaged web archive is refused with its reason`(_ text: String) throws {
    try shelf.write(text, "a.webarchive")
    let error = #expect(throws: DecantError.self) { try shelf.import("a.webarchive") }
    #expect("\(String(describing: error))".contains("web archive"), "\(String(describing: error))")
  }

  @Test func `the folder of a saved page is a part of it`() throws {
    let script = Self.page + "\n" + (try #require(Self.forms["complete"])) + "\nwrite('Soup_files/ad.html', html(str))"
    try shelf.make("saved", script)
    let report = try shelf.import("saved")
    #expect(try shelf.value("SELECT count(*) FROM Recipe") == "1")
    #expect(!report.notes.commandLine.contains { $0.contains("no recipe uses") }, "\(report.notes.commandLine)")
  }
}
