"""A headless Chromium, driven through the DevTools protocol over a pipe. Standard library only."""

import base64
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

# A step of a page from disk that takes longer hangs, however busy the machine is.
SECONDS = 600
SKIPPED = 77  # SKIP_RETURN_CODE of ctest
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find_browser():
    """The path of a Chromium; none when there is none."""
    return os.environ.get("ATTEST_CHROMIUM") or next(filter(None, map(shutil.which, PROGRAMS)), None)


def need_browser():
    """The path of a Chromium; where there is none, the program ends here, as a test that is skipped."""
    program = find_browser()
    if not program:
        print("skipped: no Chromium here; `apt-get install chromium` brings one, or ATTEST_CHROMIUM names one")
        sys.exit(SKIPPED)
    return program


class Browser:
    """Runs a browser in a profile of its own; `with` ends it."""

    def __init__(self, program):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.write_end = os.pipe()
        self.read_end, from_browser = os.pipe()

        def take_ends():  # the protocol wants descriptors 3 and 4
            ends = os.dup(to_browser), os.dup(from_browser)
            os.dup2(ends[0], 3)
            os.dup2(ends[1], 4)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--no-first-run", "--disable-extensions", "--disable-background-networking", f"--user-data-dir={self.profile.name}", "about:blank"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, close_fds=False, preexec_fn=take_ends,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.unread, self.last_id, self.events = b"", 0, []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.call("Browser.close")
            self.process.wait(timeout=SECONDS)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        self.profile.cleanup()

    def receive(self, deadline):
        while b"\0" not in self.unread:
            ready, _, _ = select.select([self.read_end], [], [], max(0, deadline - time.monotonic()))
            part = os.read(self.read_end, 1 << 20) if ready else b""
            if not part:
                raise RuntimeError("the browser ended" if ready else f"the browser says nothing for {SECONDS} s")
            self.unread += part
        message, _, self.unread = self.unread.partition(b"\0")
        return json.loads(message)

    def call(self, method, session=None, **parameters):
        """The result of a command; events that come before it are kept."""
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + SECONDS
        while True:
            answer = self.receive(deadline)
            if answer.get("id") != self.last_id:
                self.events.append(answer)
            elif "error" in answer:
                raise RuntimeError(f"{method}: {answer['error']['message']}")
            else:
                return answer["result"]

    def wait_for(self, method, session):
        deadline = time.monotonic() + SECONDS
        while True:
            for event in self.events:
                if event.get("method") == method and event.get("sessionId") == session:
                    self.events.remove(event)
                    return event["params"]
            self.events.append(self.receive(deadline))

    def page(self, path, width=1280, height=900, dark=False, scripts=True):
        return Page(self, path, width, height, dark, scripts)


class Page:
    """A file from disk in a tab of its own."""

    def __init__(self, browser, path, width, height, dark, scripts):
        self.browser = browser
        context = browser.call("Target.createBrowserContext")["browserContextId"]
        self.context = context
        target = browser.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.resize(width, height)
        self.address = "file://" + os.path.abspath(path)
        self.call("Page.navigate", url=self.address)
        browser.wait_for("Page.loadEventFired", self.session)

    def call(self, method, **parameters):
        return self.browser.call(method, self.session, **parameters)

    def close(self):
        self.browser.call("Target.disposeBrowserContext", browserContextId=self.context)

    def reload(self):
        self.call("Page.reload")
        self.browser.wait_for("Page.loadEventFired", self.session)

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def run(self, script):
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", "the script failed"))
        return answer["result"].get("value")

    def press(self, key, text=None):
        codes = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowRight": 39, "/": 191}
        common = {"key": key, "windowsVirtualKeyCode": codes.get(key, 0), **({"text": text} if text else {})}
        self.call("Input.dispatchKeyEvent", type="keyDown", **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=codes.get(key, 0))

    def point_at(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def type(self, text):
        self.call("Input.insertText", text=text)

    def complaints(self):
        """Errors and warnings of the console, exceptions, and requests for anything but the page."""
        self.run("new Promise(done => setTimeout(done, 20))")  # what is on its way arrives
        found = []
        for event in self.browser.events:
            if event.get("sessionId") != self.session:
                continue
            method, parameters = event["method"], event["params"]
            if method == "Runtime.exceptionThrown":
                found.append("exception: " + json.dumps(parameters["exceptionDetails"].get("text", "")))
            elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                found.append("console: " + json.dumps([argument.get("value") for argument in parameters["args"]]))
            elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                found.append("log: " + parameters["entry"]["text"])
            elif method == "Network.requestWillBeSent" and parameters["request"]["url"] != self.address:
                found.append("request: " + parameters["request"]["url"])
        return found

    def screenshot(self, path, whole=False):
        picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))

    def print_to(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=11.69)["data"]))


class WithBrowser(unittest.TestCase):
    """Tests of a page, `file`, that a browser shows."""

    browser, file = None, None

    def page(self, file=None, **options):
        page = self.browser.page(file or self.file, **options)
        self.addCleanup(page.close)
        return page
