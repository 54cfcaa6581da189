"""What the checks of cells share: an emulator of S3, the program's commands, and processes that end with the check."""

import atexit
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The emulator asks for some signature, and checks none; it takes forms apart, which are what urllib sends by default.
SIGNED = {
    "Authorization": "AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=0",
    "Content-Type": "application/octet-stream",
}


def fail(sentence):
    sys.exit(f"FAILED: {sentence}")


def until(what, seconds, holds):
    """Waits until `holds()` is true; returns how long that took."""
    began = time.monotonic()
    while not holds():
        if time.monotonic() - began > seconds:
            fail(f"{what}: not within {seconds} s")
        time.sleep(0.05)
    return time.monotonic() - began


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def status(url, key=None):
    """The status of a GET; None without an answer."""
    request = urllib.request.Request(url, headers={"Authorization": f"Bearer {key}"} if key else {})
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code
    except OSError:
        return None


def get_object(url):
    with urllib.request.urlopen(urllib.request.Request(url, headers=SIGNED), timeout=30) as answer:
        return answer.read()


def put_object(url, data):
    urllib.request.urlopen(urllib.request.Request(url, data=data, method="PUT", headers=SIGNED), timeout=30).close()


class Site:
    def __init__(self, program, work, name):
        self.program, self.folder = program, Path(work) / name
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        self.running = []
        atexit.register(self.end)
        self.s3 = f"http://127.0.0.1:{free_port()}"
        self.environment = {
            **{k: v for k, v in os.environ.items() if not k.startswith(("AWS_", "KITH_"))},
            "AWS_ENDPOINT": self.s3, "AWS_REGION": "us-east-1", "AWS_ALLOW_HTTP": "true",
            "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
        }
        self.emulator = self.start("moto", [Path(sys.executable).with_name("moto_server"), "-H", "127.0.0.1",
                                            "-p", self.s3.rsplit(":", 1)[1]])
        until("the emulator answers", 60, lambda: status(self.s3) is not None)
        request = urllib.request.Request(f"{self.s3}/kith", method="PUT")
        urllib.request.urlopen(request, timeout=10).close()

    def start(self, name, command):
        log = open(self.folder / f"{name}.log", "ab")
        process = subprocess.Popen([str(part) for part in command], env=self.environment, stdout=log, stderr=log,
                                   cwd=self.folder)
        self.running.append(process)
        return process

    def end(self):
        for process in self.running:
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
            process.wait()

    def kith(self, *arguments, well=True):
        """Runs the program to its end; returns what it printed, of one that has to fail also what it said."""
        ended = subprocess.run([self.program, *map(str, arguments)], env=self.environment, cwd=self.folder,
                               capture_output=True, text=True, timeout=120)
        if (ended.returncode == 0) != well:
            fail(f"kith {' '.join(map(str, arguments))}: {ended.returncode}\n{ended.stdout}{ended.stderr}")
        return ended.stdout if well else ended.stdout + ended.stderr

    def build(self, organization, seed, snapshot):
        """Builds the snapshot of a made-up organization; returns its identity."""
        tables = self.folder / f"tables-{organization}-{seed}"
        self.kith("generate", tables, "--people", 400, "--seed", seed, "--org", organization)
        self.kith("build", tables, "--out", snapshot)
        return json.loads(self.kith("inspect", snapshot, "--json"))["identity"]

    def identity(self, snapshot):
        return json.loads(self.kith("inspect", snapshot, "--json"))["identity"]
