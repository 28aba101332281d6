import { groupBy } from '../../../base/core/collections.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { meantHints } from '../../../base/diagnostics/did-you-mean.ts';
import type { Located } from '../../../base/source/source.ts';
import type { ModelRule } from '../link-stages.ts';
import { gatewayKey } from '../read-keys.ts';

/** The keys file names only clusters that the topology declares. */
export const keysNameKnownClusters: ModelRule = function* ({ keysDocument, model: { clusters } }) {
  const meant = meantHints([...clusters.keys()]);
  for (const { name: cluster, value: peers } of keysDocument?.reading.at('keys').entries() ?? []) {
    if (!clusters.has(cluster.value)) yield unknown(cluster, meant);
    for (const { name: peer } of peers.entries()) if (!clusters.has(peer.value)) yield unknown(peer, meant);
  }
  // A signature for a former name is invalid under the new one, so the entry is not renamed.
  const former = new Set([...clusters.values()].map((it) => it.renamedFrom?.value));
  for (const { name: cluster, value } of keysDocument?.reading.at('authentication').entries() ?? []) {
    const providers = value.at('providers').entries();
    for (const it of [cluster, ...providers.map(({ name }) => name)])
      if (!clusters.has(it.value) && !former.has(it.value)) yield unknown(it, meant);
  }
};

const unknown = ({ value, at }: Located<string>, meant: ReturnType<typeof meantHints>): Diagnostic =>
  diagnostic('keys/unknown-cluster', at, `no cluster is called "${value}"`, {
    hint: meant(value) ?? 'remove the entry if the cluster no longer exists',
  });

/** Every gateway of the fleet has a key pair of its own. The two ends of one link have a rule of their own. */
export const keysAreUsedOnce: ModelRule = function* ({ keys, served }) {
  const otherEnd = new Map(
    served.flatMap(({ server, client }) => {
      const [a, b] = [gatewayKey(server.name, client.name), gatewayKey(client.name, server.name)];
      return [[a, b] as const, [b, a] as const];
    }),
  );
  const inUse = [...keys].flatMap(([gateway, own]): readonly Use[] =>
    otherEnd.has(gateway) ? own.map((key) => [gateway, key]) : [],
  );
  for (const [, uses] of groupBy(inUse, ([, key]) => [key.value])) {
    const [first, ...others] = [...uses].sort(([, a], [, b]) => a.at.start - b.at.start);
    if (first === undefined) continue;
    for (const it of others) if (otherEnd.get(it[0]) !== first[0]) yield keyUsedTwice(first, it);
  }
};

type Use = readonly [gateway: string, key: Located<string>];

function keyUsedTwice([first, earlier]: Use, [second, later]: Use): Diagnostic {
  const message = `the gateways ${gatewayInWords(first)} and ${gatewayInWords(second)} have the same key`;
  return diagnostic('keys/used-twice', later.at, message, {
    hint: 'remove the entry that is wrong and run "weft keys generate": each gateway needs a key pair of its own',
    related: [{ message: 'the same key appears here', span: earlier.at }],
  });
}

const gatewayInWords = (gateway: string): string => {
  const [cluster, peer] = gateway.split('/');
  return `of "${cluster}" towards "${peer}"`;
};

/** Each of the two gateways of a link has a WireGuard key pair of its own. */
export const keysDifferAtBothEnds: ModelRule = function* ({ keys, served }) {
  for (const { server, client } of served) {
    const ofServer = keys.get(gatewayKey(server.name, client.name)) ?? [];
    const ofClient = keys.get(gatewayKey(client.name, server.name)) ?? [];
    for (const a of ofServer) {
      const b = ofClient.find((it) => it.value === a.value);
      if (b === undefined) continue;
      const [earlier, later] = a.at.start < b.at.start ? [a, b] : [b, a];
      yield diagnostic(
        'keys/same-at-both-ends',
        later.at,
        `both gateways of the link between "${server.name}" and "${client.name}" have this key`,
        {
          hint: 'remove the entry that is wrong and run "weft keys generate": each gateway needs a key pair of its own',
          related: [{ message: 'the same key appears here', span: earlier.at }],
        },
      );
    }
  }
};
