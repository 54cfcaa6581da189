"""Puts mail into an IMAP server and cards into a CardDAV server on this machine, as their programs do.

    post.py mail PORT FOLDER FROM TO        post.py card URL ID NAME ADDRESS ORGANIZATION        post.py book URL
"""
import base64
import imaplib
import sys
import time
import urllib.request
from email.message import EmailMessage
from email.utils import formatdate, make_msgid

USER, PASSWORD = "ana@brook.example", "made-up"


def mail(port: str, folder: str, sender: str, to: str) -> None:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, to, "a subject that is kept nowhere"
    message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain="brook.example")
    message.set_content("a text that is kept nowhere")
    with imaplib.IMAP4("127.0.0.1", int(port)) as server:
        server.login(USER, PASSWORD)
        server.create(folder)
        status, answer = server.append(folder, None, imaplib.Time2Internaldate(time.time()), message.as_bytes())
        if status != "OK":
            sys.exit(f"the IMAP server refused a message: {answer}")


def dav(method: str, url: str, body: str, kind: str) -> None:
    request = urllib.request.Request(url, body.encode(), method=method)
    request.add_header("Content-Type", kind)
    request.add_header("Authorization", "Basic " + base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode())
    with urllib.request.urlopen(request, timeout=10) as answer:
        answer.read()


def book(url: str) -> None:
    dav("MKCOL", url, """<?xml version="1.0"?><mkcol xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><set><prop>
        <resourcetype><collection/><C:addressbook/></resourcetype></prop></set></mkcol>""", "application/xml")


def card(url: str, uid: str, name: str, address: str, organization: str) -> None:
    family, given = name.split()[-1], " ".join(name.split()[:-1])
    dav("PUT", f"{url}{uid}.vcf", "\r\n".join([
        "BEGIN:VCARD", "VERSION:3.0", f"UID:{uid}", f"FN:{name}", f"N:{family};{given};;;", f"EMAIL:{address}",
        f"ORG:{organization}", "END:VCARD", "",
    ]), "text/vcard")


if __name__ == "__main__":
    {"mail": mail, "book": book, "card": card}[sys.argv[1]](*sys.argv[2:])
