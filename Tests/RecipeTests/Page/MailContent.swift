import Foundation
import TestSupport

/// A mail as Python's `email` reads it, by its newest policy.
struct MailContent: Decodable {
  struct Part: Decodable {
    let type: String
    let name: String?
    let id: String?
    let disposition: String?
    let digest: String
  }

  let headers: [String]
  let subject: String
  let unsent: String
  let defects: [String]
  /// The types of all parts, each behind a blank for every one it stands in.
  let structure: [String]
  let plain: String
  let html: String
  let pictures: [Part]
  let attachments: [Part]
  let longestLine: Int
  /// Whether every line ends with CR and LF and no CR or LF stands elsewhere.
  let endsLinesRightly: Bool
  /// The names that the HTML refers to.
  let references: [String]

  init(_ files: SharedFiles) throws { self = try files.python(Self.reader, [files.mail]) }

  private static let reader = """
    import email, email.policy, hashlib, json, re, sys
    raw = open(sys.argv[1], "rb").read()
    mail = email.message_from_bytes(raw, policy=email.policy.default)
    structure, defects, pictures = [], [], []
    def walk(part, depth):
        structure.append(" " * depth + part.get_content_type())
        defects.extend(str(d) for d in part.defects)
        if part.is_multipart():
            for inner in part.iter_parts(): walk(inner, depth + 1)
        else:
            part.get_content()
            defects.extend(str(d) for d in part.defects)
    walk(mail, 0)
    def entry(part):
        return dict(type=part.get_content_type(), name=part.get_filename(), id=part["content-id"],
                    disposition=part.get_content_disposition(),
                    digest=hashlib.sha256(part.get_content()).hexdigest())
    html = mail.get_body(("html",)).get_content()
    print(json.dumps(dict(
        headers=mail.keys(), subject=mail["subject"], unsent=mail["x-unsent"], defects=defects,
        structure=structure, plain=mail.get_body(("plain",)).get_content(), html=html,
        pictures=[entry(p) for p in mail.walk() if p.get_content_maintype() == "image"],
        attachments=[entry(p) for p in mail.iter_attachments() if not p.is_multipart()],
        longestLine=max(len(l) for l in raw.split(b"\\r\\n")),
        endsLinesRightly=raw.endswith(b"\\r\\n")
            and raw.count(b"\\n") == raw.count(b"\\r\\n") == raw.count(b"\\r"),
        references=re.findall(r'src="cid:([^"]*)"', html))))
    """
}
