"""A proxy between the program and the emulator: it tears answers, holds them back, swaps objects, and kills the program."""

import http.client
import re
import socket
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

PASSED_ON = ("content-length", "content-type", "etag", "last-modified", "content-range", "accept-ranges", "location")


class Between:
    """Passes requests on to `origin`. Each goes by three points: before it is sent on, before the answer's head, and in the
    middle of the answer's body."""

    def __init__(self, origin):
        self.origin = urlsplit(origin).netloc
        self.lock = threading.Lock()
        self.reset()
        between = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_one_request(self):
                try:
                    super().handle_one_request()
                except OSError:
                    self.close_connection = True

            def log_message(self, *_):
                pass

            def pass_on(self):
                between.pass_on(self)

            do_GET = do_HEAD = do_PUT = do_POST = do_DELETE = pass_on

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def reset(self):
        """No faults from here on."""
        with self.lock:
            self.points, self.kill_at, self.victim = 0, None, None
            # The pattern of a path whose whole bodies are torn, how often, and what is done then.
            self.torn, self.tears, self.then = None, 0, None
            # Answers to GETs of this path wait until so many have come.
            self.met, self.meeting = None, None
            self.is_gone = False
            # Of each request: method, path, Range, If-Match.
            self.requests = []

    def tear(self, pattern, count, then=None):
        self.torn, self.tears, self.then = re.compile(pattern), count, then

    def meet(self, pattern, count):
        """The first `count` GETs of a path wait for each other: all see the same version."""
        self.met, self.meeting = re.compile(pattern), threading.Barrier(count)

    def point(self):
        """Counts a point; kills the victim if it is the one."""
        with self.lock:
            self.points += 1
            is_it = self.points == self.kill_at
        if is_it:
            self.victim.kill()
            self.victim.wait()
        if self.kill_at is not None and self.points >= self.kill_at:
            raise ConnectionError("the victim is dead")

    def pass_on(self, handler):
        body = handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        method, path, headers = handler.command, handler.path, handler.headers
        with self.lock:
            self.requests.append((method, path, headers.get("Range"), headers.get("If-Match")))
        self.point()
        if self.is_gone:
            raise ConnectionError("the store is gone")
        sent = {k: v for k, v in headers.items() if k.lower() not in ("host", "connection", "accept-encoding")}
        connection = http.client.HTTPConnection(self.origin, timeout=60)
        connection.request(method, path, body or None, {**sent, "Host": self.origin})
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        if method == "GET" and self.met and self.met.search(path):
            try:
                self.meeting.wait(timeout=30)
            except threading.BrokenBarrierError:
                pass
            self.met = None
        self.point()
        handler.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() in PASSED_ON and name.lower() != "content-length":
                handler.send_header(name, value)
        length = answer.getheader("Content-Length") if method == "HEAD" else len(content)
        handler.send_header("Content-Length", str(length or 0))
        handler.end_headers()
        if method == "HEAD" or not content:
            return
        half = len(content) // 2
        handler.wfile.write(content[:half])
        handler.wfile.flush()
        self.point()
        if method == "GET" and self.take_tear(path, headers):
            # A body that ends early is an error to every client that counts its bytes.
            handler.connection.shutdown(socket.SHUT_RDWR)
            handler.close_connection = True
            return
        handler.wfile.write(content[half:])

    def take_tear(self, path, headers):
        with self.lock:
            is_it = self.tears > 0 and self.torn.search(path) is not None
            self.tears -= is_it
            then, self.then = (self.then, None) if is_it else (None, self.then)
        if then:
            then()
        return is_it
