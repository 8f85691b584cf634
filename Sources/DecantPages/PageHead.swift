internal import DecantBase

/// The beginning of a page, before its content.
struct PageHead {
  let title: String
  let style: String
  /// Whether it is for a mail program, and not for a browser.
  var isMail = false

  /// Writes it, up to the beginning of `main`.
  func write(to output: PageOutput) throws(DecantError) {
    try output.write("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    if !isMail {
      // This comes before anything that could load or run, and prevents it.
      try output.write(
        """
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; \
        style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
        <meta name="referrer" content="no-referrer">

        """
      )
    }
    let shown = HTMLText.attribute(title)
    try output.write(
      """
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="generator" content="decant">
      <title>\(shown.allSatisfy(\.isWhitespace) ? "Untitled" : shown)</title>
      <style>\(style)</style>
      </head>
      <body>
      <main>

      """
    )
  }
}
