"""Edits a ruleset in the kernel while packets are sent, and counts which of them pass.

Reads {"table": text, "edits": [[step, ...], ...], "flows": {name: [source, destination, protocol, port]}} from stdin. A step is
{"delete": [chain, rule name]} or {"load": nft text}: each is a transaction of its own, as Liqo's gateways make one to delete what
is gone and one to append what is new. Packets of all flows are sent without a pause, each as a new connection, from before the
first step until after the last one. Prints, for each flow, how many were sent, and how many were forwarded; and how
many were sent while a step was being loaded.
"""
import json, os, re, subprocess, sys, threading, time
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tunnel import packet, run, tunnel

task = json.load(sys.stdin)
name = re.match(r"table ip (\S+)", task["table"]).group(1)
flows = list(task["flows"].items())

def counters():
    rules = "\n".join(f'ip saddr {flow[0]} counter comment "{key}"' for key, flow in flows)
    return f"table ip seen {{\n chain forward {{ type filter hook forward priority 100;\n{rules}\n}}\n}}\n"

def forwarded():
    listed = json.loads(run("nft", "-j", "list", "chain", "ip", "seen", "forward"))
    rules = [it["rule"] for it in listed["nftables"] if "rule" in it]
    return {it["comment"]: next(e["counter"]["packets"] for e in it["expr"] if "counter" in e) for it in rules}

def handle(chain, rule):
    listed = json.loads(run("nft", "-j", "-a", "list", "chain", "ip", name, chain))
    return next(it["rule"]["handle"] for it in listed["nftables"] if it.get("rule", {}).get("comment") == rule)

run("nft", "-f", "-", text="flush ruleset\n" + counters() + task["table"])
sent = {key: 0 for key, _ in flows}
during = {"steps": 0}
loading, stopped = threading.Event(), threading.Event()

def send():
    free = 0
    # A source port that is used again would belong to a connection that the kernel knows.
    while not stopped.is_set() and free < 64000:
        for key, (source, destination, protocol, port) in flows:
            os.write(tunnel, packet(source, destination, protocol, 1024 + free, port))
            sent[key] += 1
            if loading.is_set(): during["steps"] += 1
        free += 1

sender = threading.Thread(target=send)
sender.start()
time.sleep(0.05)
for steps in task["edits"]:
    for step in steps:
        text = step.get("load") or "".join(f"delete rule ip {name} {c} handle {handle(c, r)}\n" for c, r in step["delete"])
        loading.set()
        run("nft", "-f", "-", text=text)
        loading.clear()
        # Liqo flushes again after some milliseconds.
        time.sleep(0.004)
time.sleep(0.05)
stopped.set()
sender.join()
time.sleep(0.05)
passed = forwarded()
print(json.dumps({"sent": sent, "passed": passed, "during": during["steps"]}))
