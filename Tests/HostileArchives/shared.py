"""Pages and mails whose archive is not where, or not what, it should be."""
import base64
import gzip
from made import Case, archive

SOUND = archive()
MARK = b'<script type="application/vnd.decant">'


def escaped(data):
    return data.replace(b"&", b"\\u0026").replace(b"<", b"\\u003c").replace(b">", b"\\u003e")


def page(block):
    return b"<!DOCTYPE html><html><body><p>Soup</p>" + block + b"</body></html>\n"


def mail(*parts, boundary="b", end=True):
    text = f'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="{boundary}"\r\n\r\n'
    for part in parts:
        text += f"--{boundary}\r\n{part}\r\n"
    return (text + (f"--{boundary}--\r\n" if end else "")).encode()


def attached(data=SOUND, name="a.decant", coding="base64", text=None):
    body = base64.encodebytes(data).decode().replace("\n", "\r\n") if text is None else text
    return (f'Content-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="{name}"\r\n'
            f"Content-Transfer-Encoding: {coding}\r\n\r\n{body}")


def nested(depth, inner):
    for level in range(depth):
        inner = f'Content-Type: multipart/mixed; boundary="n{level}"\r\n\r\n--n{level}\r\n{inner}\r\n--n{level}--'
    return inner


def cases():
    block = MARK + b"\n" + escaped(SOUND) + b"</script>"
    # Wherever a buffer ends, a line goes on.
    short = MARK + b"\n" + escaped(archive(before=b"{}\n" * 400_000)) + b"</script>"
    long = MARK + b"\n" + escaped(archive(before=(b'{"x":"' + b"x" * 900_000 + b'"}\n') * 3)) + b"</script>"
    for name, data, status, told in [
            ("sound", page(block), 0, ""), ("with lines of three bytes", page(short), 0, ""),
            ("with lines of 900 000 bytes", page(long), 0, ""), ("without a block", page(b""), 13, "not contain an archive"),
            ("with an empty block", page(MARK + b"</script>"), 13, ""),
            ("with a block that never ends", page(MARK + b"\n" + escaped(SOUND))[:-16], 13, "ends in the middle of a line"),
            ("with a tag that never ends", page(MARK[:-1]) + b" " * 100_000, 13, ""),
            ("with marks only", page(MARK * 10_000), 13, ""),
            ("with two blocks", page(block + block), 0, ""),
            ("with a mark in a text before", page(b"application/vnd.decant application/vnd.decant" + block), None, ""),
            ("with escapes that are none", page(MARK + b"\\u00\\u003\\uzzzz\\u003c" * 1000 + b"</script>"), 13, ""),
            ("with a gzip in the block", page(MARK + gzip.compress(SOUND) + b"</script>"), 13, ""),
            ("with a line of 20 MiB", page(MARK + b'{"decant":"' + b"x" * (20 << 20)), 13, "longer"),
            ("with a page in the block", page(MARK + escaped(page(block)) + b"</script>"), 13, ""),
            ("of 20 MiB of marks begun", b"<" + b"application/vnd.decanapplication/vnd.decan" * 500_000, 13, "not contain an archive")]:
        yield Case(f"page {name}", data, told, status, suffix=".html")
    plain = attached(coding="8bit", text=SOUND.decode())
    sound = attached()
    for name, data, status, told in [
            ("sound", mail("Content-Type: text/plain\r\n\r\nhello", sound), 0, ""), ("as it is", mail(plain), 0, ""),
            ("without an attachment", mail("Content-Type: text/plain\r\n\r\nhello"), 13, "no archive attached"),
            ("with two attachments", mail(sound, sound), 13, "several"),
            ("with parts 100 deep", mail(nested(99, sound)), 0, ""),
            ("with parts 20 000 deep", mail(nested(20_000, sound)), 13, "100 levels deep"),
            ("with headers without end", b"MIME-Version: 1.0\r\n" + b"X-Soup: soup\r\n" * 2_000_000, 13, ""),
            ("with one header without end", b"MIME-Version: 1.0\r\n" + b" soup\r\n" * 4_000_000, 13, ""),
            ("with a header line of 5 MiB", b"MIME-Version: 1.0\r\nX: " + b"x" * (5 << 20), 13, ""),
            ("with a boundary of 900 000 bytes", mail(sound, boundary="b" * 900_000), 13, "64 KiB"),
            ("with boundaries that never end", mail(sound, end=False), 0, ""),
            ("with an empty boundary", mail(sound, boundary=""), 13, ""),
            ("with an attachment that is no base64", mail(attached(text="%%%%")), 13, "base64"),
            ("with base64 cut off", mail(attached(text=base64.b64encode(SOUND).decode()[:-7])), 13, ""),
            ("with base64 cut off within a group", mail(attached(text=base64.b64encode(SOUND + b"x" * (-len(SOUND) % 3)).decode()[:-1])), 13, ""),
            ("with an attachment that is a picture", mail(attached(b"\x89PNG\r\n")), 13, "not an archive"),
            ("in a mail", mail(attached(mail(sound), name="a.decant")), 13, "not an archive"),
            ("with a name that is a path", mail(attached(name="../../../../tmp/decant-escaped.decant")), 0, ""),
            ("with a gzip bomb", mail(attached(gzip.compress(SOUND + b"{}\n" * (32 << 20)), name="a.decant.gz")), 13, ""),
            ("with rubbish in quoted-printable", mail(attached(coding="quoted-printable", text="=zz=\x00=G1{")), 13, ""),
            ("of forwarded mails 5000 deep", mail("Content-Type: message/rfc822\r\n\r\n" * 5000 + sound), 0, "")]:
        yield Case(f"mail {name}", data, told, status, suffix=".eml")
