import CFuzzer
import DecantBase
import DecantContainers
import DecantPlan
@testable import DecantRecipes
import DecantSQLite
import Glibc

/// Reads each input as a file of recipes, twice: into tables of its own as an import does, of which the second
/// time adds nothing.
///
/// Errors are welcome; a trap, a report of the address sanitizer, more memory or time than libFuzzer allows,
/// a file that is neither read nor complained of, and a recipe that is not found again are findings.
private func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeRawBufferPointer(start: start, count: count)
  do { try read(bytes) } catch {}
  return 0
}

/// What a file is called says what some of them are.
private let names = ["a.zip", "recipe.json", "Soup.cook", "database.json", "Soup.md", "Soup.html"]

private func read(_ bytes: UnsafeRawBufferPointer) throws {
  let folder = try ScratchFolder()
  let path = "\(folder.path)/\(names[bytes.count % names.count])"
  try put(bytes, at: path)
  let tables = "\(folder.path)/tables"
  try Files.makeFolder(tables)
  let stager = try RecipeStager(in: tables)
  var limits = ContainerLimits()
  limits.totalByteCount = 1 << 20
  limits.memberCount = 50
  let files = try RecipeFiles(stager, in: folder, limits: limits)
  try files.read(path)
  let first = files.findings.recipeCount
  precondition(
    first > 0 || !files.findings.rejects.isEmpty || !files.findings.unknown.isEmpty,
    "the file is lost without a word"
  )
  let isSound = files.findings.rejects.isEmpty
  if first > 0 { try files.read(path) }
  let count = files.findings.recipeCount
  try StagedVersions.note(on: stager.connection)
  let differing = try stager.connection.text(
    "SELECT content FROM versions.read AS v WHERE \(StagedVersions.differs) LIMIT 1")
  precondition(differing == nil, "a version was written otherwise than the tables have it: \(differing ?? "")")
  let outcome = try RecipeDuplicates(on: stager.connection, policy: .skip).settle()
  let kept = try stager.connection.integer("SELECT count(*) FROM Recipe") ?? -1
  precondition(kept + outcome.count == count, "\(kept) + \(outcome.count) of \(count)")
  precondition(!isSound || kept <= first, "of \(first) recipes \(kept) were kept the second time")
  try stager.finish()
}

private func put(_ bytes: UnsafeRawBufferPointer, at path: String) throws {
  let file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
  defer { close(file) }
  guard file >= 0, write(file, bytes.baseAddress, bytes.count) == bytes.count else {
    fatalError("the input cannot be written to a file")
  }
}

// In memory, where there is a place for that.
if access("/dev/shm", W_OK) == 0 { setenv("TMPDIR", "/dev/shm", 1) }
private var argumentCount = CommandLine.argc
private var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
exit(LLVMFuzzerRunDriver(&argumentCount, &arguments, fuzz))
