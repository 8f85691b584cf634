import TestSupport
import Testing

/// A password in an address that decant cannot read is in nothing that it says.
@Suite struct PasswordTests {
  private let place: CommandFolder

  init() throws { place = try CommandFolder() }

  static let addresses = [
    "postgres://anna:sesame@db/app", "mysql://anna:a@sesame@db:3306/app", "ftp://:sesame@db",
    "postgres://anna:sesame@db",
    "postgres://anna:ses/sesame@db/app", "postgres://db/app?user=anna&password=sesame",
    "postgres://db/app?sslpassword=sesame&x=1", "x.sqlite?PWD=sesame",
    "https://db/a?access_token=sesame", "postgresql://anna:%73esame@db/app", "postgres:host=db password=sesame",
    "postgres:host=db password = 'sesame'", "postgres://anna%3Asesame@db/app", "postgres://anna%3asesame%40db/app",
    "postgres://anna:sesame%40db/app", "postgres:dbname=postgres://anna:sesame@db/app",
  ]

  @Test(arguments: addresses)
  func `no verb repeats it`(address: String) throws {
    for arguments in [
      ["inspect", address], ["inspect", address, "--json"], ["doctor", address], ["copy", address, "new.sqlite"],
      ["copy", "Kitchen.sqlite", "./no/\(address)"], ["merge", "Kitchen.sqlite", address],
      ["export", address, "new.decant"], ["export", "Kitchen.sqlite", "no/\(address)"],
      ["import", address, "new.sqlite"], ["verify", address, "Kitchen.sqlite"],
      ["diff", "Kitchen.sqlite", address], ["check", "Kitchen.sqlite", "--against", address],
      ["check", address, "--against", "Kitchen.sqlite"], ["clean", address, "--what", "history"],
      ["migrate", address, "--to", "Kitchen.sqlite"], ["rollback", address],
      ["query", address, "SELECT 1"], ["repoint", address, "--at", "A.b", "--ids", address],
      ["copy", "Kitchen.sqlite", "new.sqlite", "--keep-ids", "no/\(address)"],
      ["copy", "Kitchen.sqlite", "new.sqlite", "--mapping", address],
      ["copy", "Kitchen.sqlite", "new.sqlite", "--model", address],
      ["copy", "Kitchen.sqlite", "new.sqlite", "--template", address],
      ["stores", address], ["inspekt", address], ["copy", "a", "b", address],
      ["export", "Kitchen.sqlite", "k.decant", address],
      ["copy", "Kitchen.sqlite", "new.sqlite", "--progress", address],
    ] {
      let run = try place.run(arguments)
      #expect(run.status != 0)
      #expect(!(run.errors + run.output).contains("sesame"), "\(arguments): \(run.errors)")
    }
  }

  /// A file may be called so.
  @Test func `reports do not repeat it either`() throws {
    let name = "k.sqlite?password=sesame"
    for arguments in [
      ["copy", "Kitchen.sqlite", name, "--progress", "json"], ["inspect", name],
      ["inspect", name, "--json"], ["verify", "Kitchen.sqlite", name, "--json"],
      ["diff", name, "Kitchen.sqlite"], ["merge", "Guests.sqlite", name, "--json"],
      ["clean", name, "--what", "history"], ["doctor", name], ["doctor", name, "--json"],
    ] {
      let run = try place.run(arguments)
      #expect([0, 4].contains(run.status), "\(run.errors)")
      #expect(!(run.errors + run.output).contains("sesame"), "\(arguments): \(run.output)")
    }
    #expect(try place.names().contains(name))
  }

  @Test(arguments: [
    "https://example.com:80/a@2x.png", "a@b.example", "Kitchen.sqlite", "mailto:anna@b.example",
    "note: x?y=1&z=2", "http://[::1]:8080/x", "see https://a.example/b: “c@d”",
  ])
  func `what holds no password stays as it is`(text: String) throws {
    try place.expect(["inspect", "no/\(text)"], 10, "“no/\(text)”")
  }
}
