"""A device that is called like the tunnel of a gateway, and packets to write into it."""
import fcntl, os, socket, struct, subprocess, sys

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
