/**
 * Lets a debugger into a test runner: a Python module of ours in the container. It starts debugpy before the first test
 * is imported and relays it over standard input and output, so that the container opens no port.
 */
import type { ContainerPath } from '../../task/containerPath.ts';
import { DEBUG_FOLDER } from '../plan/containerLayout.ts';

export const DEBUG_MODULE = 'repair_bench_debug';
export const DEBUG_MODULE_FILE: ContainerPath = `${DEBUG_FOLDER}/${DEBUG_MODULE}.py`;

/**
 * Python 3.6 and later. As a plugin (`pytest -p`) it is imported before tests and before output is captured; run by
 * `python -m`, it starts unittest with the arguments it was given. After a line `MARK ready`, standard output is the
 * debugger's, and what the tests print goes to standard error; a line `MARK failed WHY` ends it instead. MARK comes in
 * `REPAIR_BENCH_DEBUG_MARK`. debugpy: https://github.com/microsoft/debugpy/wiki/API-Reference
 */
export const DEBUG_MODULE_TEXT = `
import os
import socket
import sys
import threading

MARK = os.environ.pop("REPAIR_BENCH_DEBUG_MARK", None)
CHUNK = 65536


def tell(words):
    os.write(1, ("\\n%s %s\\n" % (MARK, words)).encode("utf-8", "replace"))


def send_on(link):
    while True:
        data = os.read(0, CHUNK)
        if not data:
            break
        link.sendall(data)
    os._exit(0)


def relay(port):
    link = socket.create_connection(("127.0.0.1", port))
    tell("ready")
    threading.Thread(target=send_on, args=(link,), daemon=True).start()
    while True:
        data = link.recv(CHUNK)
        if not data:
            break
        while data:
            data = data[os.write(1, data):]


def start_relay():
    """Gives the writing end of a pipe that wants the debugger's port."""
    asked, told = os.pipe()
    # A process of its own, as a debugger that has stopped everything must still hear "continue".
    if os.fork() != 0:
        os.close(asked)
        return told
    try:
        os.close(told)
        port = os.read(asked, 16)
        if port:
            relay(int(port))
    finally:
        os._exit(0)


def listen():
    told = start_relay()
    os.environ.setdefault("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "libs"))
    try:
        import debugpy
        debugpy.configure(subProcess=False)
        port = debugpy.listen(("127.0.0.1", 0))[1]
    except BaseException as error:
        tell("failed %s: %s" % (type(error).__name__, " ".join(str(error).split())[:500]))
        os._exit(1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    os.write(told, str(port).encode())
    os.close(told)
    debugpy.wait_for_client()


# Child processes import this too, and have no mark any more.
if MARK and __name__ != "__mp_main__":
    listen()
if __name__ == "__main__":
    import unittest
    sys.argv[0] = "python -m unittest"
    unittest.main(module=None)
`.trimStart();
