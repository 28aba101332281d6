import { groupBy } from '../../../base/core/group-by.ts';
import { firstOf, quoted } from '../../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { OffloadedNamespace } from '../shared-model.ts';
import type { SharingRule } from './sharing-rule.ts';

/** How many providers a message names. */
const SHOWN = 3;

/**
 * No two namespaces have one name in a provider: it gives the name to the one that comes first, and says of the other that it
 * cannot be created, forever.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/namespacemap-controller/enforcement.go.
 */
export const remoteNamesDiffer: SharingRule = function* ({ model }) {
  const first = new Map<string, OffloadedNamespace>();
  for (const it of model.offloadings) {
    const meetings: Meeting[] = [];
    for (const { name: provider } of it.providers) {
      const id = `${provider}/${it.remoteName}`;
      const other = first.get(id);
      if (other === undefined) first.set(id, it);
      else meetings.push({ other, provider });
    }
    for (const those of groupBy(meetings, ({ other }) => [nameOf(other)]).values()) yield* meet(it, those);
  }
};

interface Meeting {
  readonly other: OffloadedNamespace;
  readonly provider: string;
}

function* meet(it: OffloadedNamespace, meetings: readonly Meeting[]): Iterable<Diagnostic> {
  const [first] = meetings;
  if (first === undefined) return;
  const providers = firstOf(
    meetings.map(({ provider }) => quoted(provider)),
    SHOWN,
  );
  yield diagnostic(
    'sharing/remote-names-meet',
    it.at,
    `${nameOf(it)} and ${nameOf(first.other)} would both be called ${quoted(it.remoteName)} in ${providers}`,
    {
      hint: 'give one of them a `remoteName` that no other namespace has there',
      related: [{ span: first.other.at, message: 'the other namespace' }],
    },
  );
}

const nameOf = ({ namespace, cluster }: OffloadedNamespace): string =>
  `namespace ${quoted(namespace)} of ${quoted(cluster.name)}`;
