"""Loads rulesets into the kernel, and sends packets into a device that is called like the tunnel of a gateway.

Reads a list of [{"commands": [nft text], "packets": [[source, destination, protocol, port]]}] from stdin. Each text is
loaded by itself, and all packets are sent after each. Prints, for each text, which of the packets were not dropped: they
reach the hook for packets that are forwarded, or the one for packets to the gateway itself.
"""
import fcntl, json, os, socket, struct, subprocess, sys, time

def run(*command, text=None):
    done = subprocess.run(command, input=text, text=True, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr}\n{text or ''}")
    return done.stdout

tunnel = os.open("/dev/net/tun", os.O_RDWR)
fcntl.ioctl(tunnel, 0x400454CA, struct.pack("16sH22x", b"liqo-tunnel", 0x1001))
run("ip", "link", "set", "lo", "up")
run("ip", "addr", "add", "169.254.18.1/30", "dev", "liqo-tunnel")
run("ip", "link", "set", "liqo-tunnel", "up")
run("ip", "link", "add", "out", "type", "veth", "peer", "name", "end")
run("ip", "link", "set", "end", "up")
run("ip", "link", "set", "out", "up", "arp", "off")
run("ip", "route", "add", "default", "dev", "out")
run("sysctl", "-q", "-w", "net.ipv4.ip_forward=1", "net.ipv4.conf.all.rp_filter=0", "net.ipv4.conf.liqo-tunnel.rp_filter=0")

SEEN = """table ip seen {
  set ports { type inet_service; flags dynamic; size 65535; }
  chain forward { type filter hook forward priority 100; meta l4proto { tcp, udp } add @ports { th sport }; }
  chain input { type filter hook input priority 100; iifname "liqo-tunnel" meta l4proto { tcp, udp } add @ports { th sport }; }
}
"""

def checksum(data):
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF

def packet(source, destination, protocol, own, port):
    ends = socket.inet_aton(source) + socket.inet_aton(destination)
    number = 17 if protocol == "udp" else 6
    if number == 17:
        body = struct.pack("!HHHH", own, port, 8, 0)
    else:
        head = struct.pack("!HHIIBBHHH", own, port, 1, 0, 5 << 4, 2, 1024, 0, 0)
        body = head[:16] + struct.pack("!H", checksum(ends + struct.pack("!BBH", 0, 6, 20) + head)) + head[18:]
    head = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(body), 1, 0, 64, number, 0) + ends
    return head[:10] + struct.pack("!H", checksum(head)) + head[12:] + body

# Each packet has a source port of its own: the kernel translates those of a connection that it knows as before.
free, results = 1024, []
for case in json.load(sys.stdin):
    run("nft", "-f", "-", text="flush ruleset\n" + SEEN)
    of_case = []
    for text in case["commands"]:
        run("nft", "-f", "-", text=text)
        run("nft", "flush", "set", "ip", "seen", "ports")
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
