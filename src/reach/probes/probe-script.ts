import { printAddress, readAddress } from '../../base/net/text.ts';
import { render } from '../../base/text/render.ts';
import { PROBER_TCP_PORT, PROBER_UDP_PORT } from '../../bundle/conformance/prober-names.ts';
import type { PlannedProbe } from './plan-probes.ts';

/** The findings of a prober at one address. */
export interface ProbeAnswer {
  /** The host name of what answered over TCP, which is the name of a pod; `null` without an answer. */
  readonly host: string | null;
  /** The sender's address as the receiver saw it over UDP; `null` without an answer. */
  readonly source: number | null;
  /** Which questions came through that fill packets. */
  readonly full: { readonly tcp: boolean; readonly udp: boolean };
  /**
   * The size of packets that the sender's kernel has learned for this path; `null` when it has learned none, and `less` when it
   * only knows that the packet was too long.
   */
  readonly pathMtu: number | 'less' | null;
}

/** Bytes of a long question over TCP: several segments at any MTU, so that the clamped segment size has an effect. */
const TCP_BYTES = 8000;

/** Bytes of an IPv4 header and a UDP header, without options. */
const UDP_HEADER_BYTES = 28;

/** The question that is answered with the text behind it. */
const ECHO_BYTES = 'echo '.length;

/** The prober reads no longer datagrams. */
const LONGEST_QUESTION = 2048;

/** The text that fills a datagram of the size of the MTU. */
const echoedBytes = ({ mtuBytes }: PlannedProbe): number =>
  Math.min(mtuBytes - UDP_HEADER_BYTES, LONGEST_QUESTION) - ECHO_BYTES;

/** Targets that one prober dials at the same time: its memory is small, and waiting for an answer that does not come takes long. */
const AT_ONCE = 8;

/** A lost segment is sent again after 1 and 3 seconds. Source: RFC 6298. */
const SECONDS = { connectSeconds: 4, seconds: 5 };

/** The longest time that the script of some probes needs: small questions are answered, and those that fill packets are not. */
export const scriptSeconds = (probes: number): number => Math.ceil(probes / AT_ONCE) * 6 * SECONDS.seconds;

/**
 * A script for `bash` in a prober, which dials all targets of its cluster: who answers over TCP, whom the other end sees over UDP,
 * then a long question over TCP, and one in a datagram that fills the MTU, which Linux forbids routers to divide. Prints a line for
 * each target, in any order. There is no here-document, for which bash may need a folder to write to. Questions fill packets in one direction; those of the other cluster fill them in the other one.
 */
export const printProbeScript = (probes: readonly PlannedProbe[]): string =>
  render('probes/probe-script', {
    ...SECONDS,
    atOnce: AT_ONCE,
    tcpPort: PROBER_TCP_PORT,
    udpPort: PROBER_UDP_PORT,
    tcpBytes: TCP_BYTES,
    datagram: 2 * LONGEST_QUESTION,
    count: probes.length,
    targets: probes.map((it) => `${it.id} ${printAddress(it.dialled)} ${echoedBytes(it)}`),
  });

const LINE = /^(\d+) ([A-Za-z0-9.-]+) ([0-9.:-]+) (full|-) (full|-) (\d+|less|-)$/;

/** The answers by id of the probe; `undefined` when the output is not that of the script, or not all of it. */
export function readProbeAnswers(
  output: string,
  probes: readonly PlannedProbe[],
): ReadonlyMap<number, ProbeAnswer> | undefined {
  const lines = output.split('\n').filter((it) => it !== '');
  const wanted = new Set(probes.map((it) => it.id));
  if (lines.pop() !== `done ${probes.length}`) return undefined;
  const answers = new Map<number, ProbeAnswer>();
  for (const line of lines) {
    const [, id, host = '-', seen = '-', tcp, udp, mtu = '-'] = LINE.exec(line) ?? [];
    if (id === undefined || !wanted.has(Number(id)) || answers.has(Number(id))) return undefined;
    answers.set(Number(id), {
      host: host === '-' ? null : host,
      source: readAddress(seen.replace(/:\d+$/, '')) ?? null,
      full: { tcp: tcp === 'full', udp: udp === 'full' },
      pathMtu: mtu === '-' ? null : mtu === 'less' ? mtu : Number(mtu),
    });
  }
  return answers.size === wanted.size ? answers : undefined;
}
