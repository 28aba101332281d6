"""Loads rulesets into the kernel, and sends packets into a device that is called like the tunnel of a gateway.

Reads a list of [{"commands": [nft text], "packets": [[source, destination, protocol, port]]}] from stdin. Each text replaces
the one before it, and all packets are sent after each. Prints, for each text, which of the packets were not dropped: they
reach the hook for packets that are forwarded, or the one for packets to the gateway itself.
"""
import json, os, sys, time
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from tunnel import packet, run, tunnel

SEEN = """table ip seen {
  set ports { type inet_service; flags dynamic; size 65535; }
  chain forward { type filter hook forward priority 100; meta l4proto { tcp, udp } add @ports { th sport }; }
  chain input { type filter hook input priority 100; iifname "liqo-tunnel" meta l4proto { tcp, udp } add @ports { th sport }; }
}
"""

# Each packet has a source port of its own: the kernel translates those of a connection that it knows as before.
free, results = 1024, []
for case in json.load(sys.stdin):
    of_case = []
    for text in case["commands"]:
        run("nft", "-f", "-", text="flush ruleset\n" + SEEN + text)
        if free + len(case["packets"]) > 65000:
            free = 1024
            run("conntrack", "-F") if os.path.exists("/usr/sbin/conntrack") else time.sleep(0)
        first = free
        for source, destination, protocol, port in case["packets"]:
            os.write(tunnel, packet(source, destination, protocol, free, port))
            free += 1
        listed = json.loads(run("nft", "-j", "list", "set", "ip", "seen", "ports"))
        elements = [it["set"].get("elem", []) for it in listed["nftables"] if "set" in it][0]
        ports = {it["elem"]["val"] if isinstance(it, dict) else it for it in elements}
        of_case.append([first + i in ports for i in range(len(case["packets"]))])
    results.append(of_case)
print(json.dumps(results))
