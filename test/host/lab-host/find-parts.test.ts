import { describe, expect, it } from 'vitest';
import { findParts, type Machine } from '../../../src/host/lab-host/lab-site.ts';
import { LabError } from '../../../src/host/lab-host/run-tool.ts';

const PROGRAMS = ['ip', 'nft', 'wireguard-go', 'ping', 'tcpdump'];

const machine = (over: Partial<Machine> & { readonly without?: readonly string[] } = {}): Machine => ({
  platform: 'linux',
  userId: 0,
  find: (program) =>
    PROGRAMS.includes(program) && !over.without?.includes(program) ? `/usr/sbin/${program}` : undefined,
  ...over,
});

function refusal(it: Machine, pcap = false): Pick<LabError, 'message' | 'hint'> {
  try {
    findParts(it, { pcap });
  } catch (error) {
    // The command line ends with 2 for this class of errors; any other would count as a bug of ours.
    if (!(error instanceof LabError)) throw error;
    return { message: error.message, hint: error.hint };
  }
  throw new Error('nothing was missing');
}

describe('what the lab needs', () => {
  it('is found', () => {
    expect(findParts(machine(), { pcap: true })).toEqual({
      ip: '/usr/sbin/ip',
      nft: '/usr/sbin/nft',
      wireguard: '/usr/sbin/wireguard-go',
      ping: ['/usr/sbin/ping'],
      tcpdump: '/usr/sbin/tcpdump',
    });
  });

  it.each([
    [['nft'], 'the lab needs nft', 'run "apt-get install nftables"'],
    [['ip', 'ping'], 'the lab needs ip and ping', 'run "apt-get install iproute2 iputils-ping"'],
    [
      ['nft', 'ip', 'wireguard-go'],
      'the lab needs nft, ip and wireguard-go',
      'run "apt-get install nftables iproute2 wireguard-go"',
    ],
  ])('says in one sentence what to install without %s', (without, message, hint) => {
    expect(refusal(machine({ without }))).toEqual({ message, hint });
  });

  it('asks for tcpdump only when packets are to be recorded', () => {
    const it = machine({ without: ['tcpdump'] });
    expect(findParts(it, { pcap: false }).tcpdump).toBeNull();
    expect(refusal(it, true)).toMatchObject({
      message: 'the lab needs tcpdump',
      hint: 'run "apt-get install tcpdump"',
    });
  });

  it("takes busybox's ping where there is no other", () => {
    const it = machine({ find: (program) => (program === 'ping' ? undefined : `/bin/${program}`) });
    expect(findParts(it, { pcap: false }).ping).toEqual(['/bin/busybox', 'ping']);
  });

  it('says that it needs root, and Linux', () => {
    expect(refusal(machine({ userId: 1000 }))).toEqual({
      message: 'the lab needs root, for network namespaces',
      hint: 'run "sudo weft lab"',
    });
    expect(refusal(machine({ platform: 'darwin' })).message).toBe('the lab needs Linux, and this is darwin');
  });
});
