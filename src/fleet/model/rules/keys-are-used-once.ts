import { groupBy } from '../../../base/core/group-by.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Located } from '../../../base/source/located.ts';
import { gatewayKey } from '../read-keys.ts';
import type { ModelRule } from '../resolved-links.ts';

/** Every gateway of the fleet has a key pair of its own. The two ends of one link have a rule of their own. */
export const keysAreUsedOnce: ModelRule = function* ({ keys, served }) {
  const otherEnd = new Map(
    served.flatMap(({ server, client }) => {
      const [a, b] = [gatewayKey(server.name, client.name), gatewayKey(client.name, server.name)];
      return [[a, b] as const, [b, a] as const];
    }),
  );
  const inUse = [...keys].filter(([gateway]) => otherEnd.has(gateway));
  for (const [, uses] of groupBy(inUse, ([, key]) => [key.value])) {
    const [first, ...others] = [...uses].sort(([, a], [, b]) => a.at.start - b.at.start);
    if (first === undefined) continue;
    for (const it of others) if (otherEnd.get(it[0]) !== first[0]) yield usedTwice(first, it);
  }
};

type Use = readonly [gateway: string, key: Located<string>];

function usedTwice([first, earlier]: Use, [second, later]: Use): Diagnostic {
  const message = `the gateways ${inWords(first)} and ${inWords(second)} have the same key`;
  return diagnostic('keys/used-twice', later.at, message, {
    hint: 'remove the entry that is wrong and run "weft keys generate": each gateway needs a key pair of its own',
    related: [{ message: 'the same key appears here', span: earlier.at }],
  });
}

const inWords = (gateway: string): string => {
  const [cluster, peer] = gateway.split('/');
  return `of "${cluster}" towards "${peer}"`;
};
