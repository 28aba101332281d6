import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { startOf } from '../../../base/source/source.ts';
import type { LockDocument } from '../../../fleet/lock/lock.ts';
import type { ExpectedLink } from '../expected/expect-links.ts';
import { cidrText } from '../networks.ts';
import type { CheckContext } from './bundle-check.ts';

/**
 * The lock beside the files records what they contain, so that the next compile keeps it: the order of the links, their
 * ports, the views of both ends and the carved blocks. `null` is a value that no file shows.
 */
export function* lockAgrees(context: CheckContext, { decisions, source }: LockDocument): Iterable<Diagnostic> {
  const wanted = new Map([
    ...blockLines(context),
    ...context.expected.links.flatMap((it) => [...linkLines(context, it)]),
  ]);
  const report = (at: Diagnostic['span'], message: string): Diagnostic =>
    diagnostic('verify/lock', at, message, { hint: 'run "weft compile", and commit out/ with the lock file' });
  for (const [key, value] of wanted) {
    const found = decisions.get(key);
    if (!found) yield report(startOf(source), `${key} is missing in the lock`);
    else if (value !== null && String(found.value) !== value)
      yield report(found.at, `${key} is ${found.value} in the lock, but ${value} in the files`);
  }
  for (const [key, { at }] of decisions)
    if (!wanted.has(key)) yield report(at, `${key} in the lock is about nothing that the topology contains`);
}

type LockLine = readonly [key: string, value: string | null];

function* blockLines({ expected, network }: CheckContext): Iterable<LockLine> {
  for (const { name, own } of expected.clusters.values())
    for (const kind of ['external', 'internal'] as const)
      if (own[kind].kind === 'auto') yield [`${name}/${kind}`, network.get(name)?.blocks[kind]?.text ?? null];
}

function* linkLines(context: CheckContext, link: ExpectedLink): Iterable<LockLine> {
  const { name, join, nudge, server, client } = link;
  yield [`${name}/join`, String(join)];
  if (nudge !== null) yield [`${name}/nudge`, String(nudge)];
  const { chosen } = context.network.get(server.name)?.peers.get(client.name)?.endpoint ?? {};
  yield [`${name}/port/${server.name}`, chosen?.text ?? null];
  for (const [viewer, peer] of [
    [server, client],
    [client, server],
  ] as const) {
    const views = context.addresses.get(viewer.name)?.views?.get(peer.name) ?? [];
    const external = context.addresses.get(peer.name)?.external ?? null;
    const cidrs = [...peer.podCIDRs.map((it) => it.value), external];
    for (const [i, cidr] of cidrs.entries()) {
      const seenAs = views[i]?.seenAs ?? null;
      const kind = i < peer.podCIDRs.length ? 'pod' : 'external';
      if (cidr) yield [`${name}/view/${viewer.name}/${kind}/${cidrText(cidr)}`, seenAs && cidrText(seenAs)];
    }
  }
}
