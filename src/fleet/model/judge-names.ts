import { groupBy } from '../../base/core/collections.ts';
import { parseLockKey } from '../../base/core/lock-key.ts';
import { quoted, someOf } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { meantHint } from '../../base/diagnostics/did-you-mean.ts';
import { printPrefix } from '../../base/net/text.ts';
import type { Located } from '../../base/source/source.ts';
import { type Decisions, decisionAbout, namesInDecisions } from '../lock/lock.ts';
import { type KeysDocument, namesInKeys } from '../topology/parse-recorded.ts';
import type { NetworkModel } from './network-model.ts';

interface Names {
  /** The model of the topology under its new names. */
  readonly model: NetworkModel;
  /** Every name in the topology, including those of unreadable clusters. */
  readonly declared: readonly string[];
  /** The recorded decisions and keys as they are in their files. */
  readonly recorded: { readonly decisions: Decisions; readonly keys: KeysDocument | undefined };
  /** Clusters that look like renamed ones are others. */
  readonly allowReplacements: boolean;
}

/**
 * Compares the names in a topology with those that are recorded: a cluster whose name is new while a recorded cluster
 * with the same pod CIDRs and peers is gone, and a `renamedFrom` with an unknown name. Without a declaration, a rename
 * loses addresses, ports and keys, which one line keeps.
 */
export function judgeNames({ model, declared, recorded, allowReplacements }: Names): readonly Diagnostic[] {
  if ([...model.clusters.values()].every((it) => it.renamedFrom === null) && isRecorded(model, recorded.decisions))
    return [];
  const inLock = recordedClusters(recorded.decisions);
  const peers = peersIn(model);
  const isNew = (name: string): boolean => !inLock.has(name) && (peers.get(name) ?? []).length > 0;
  const all = [...model.clusters.values()];
  const former = new Set(all.flatMap((it) => it.renamedFrom?.value ?? []));
  const known = new Set([...declared, ...former]);
  const gone = [...inLock.keys()].filter((it) => !known.has(it));
  const inKeys = namesInKeys(recorded.keys);
  const inAnyDecision = namesInDecisions(recorded.decisions);
  const nowhere = all.flatMap(({ name, renamedFrom: from }) => {
    if (from === null || inAnyDecision.has(from.value) || inKeys.has(from.value)) return [];
    return [inLock.size > 0 && isNew(name) ? renamedFromNobody(name, from, gone) : finished(name, from)];
  });
  if (allowReplacements) return nowhere;
  // Two clusters may be renamed at once; then each is a new peer of the other.
  const print = (pods: readonly string[], others: readonly string[]): string =>
    JSON.stringify([pods.toSorted(), others.map((it) => (inLock.has(it) && known.has(it) ? it : null)).toSorted()]);
  const goneBy = groupBy(gone, (it) => [print(inLock.get(it)?.pods ?? [], inLock.get(it)?.peers ?? [])]);
  const come = all.filter((it) => it.renamedFrom === null && isNew(it.name));
  const comeBy = groupBy(come, (it) => [
    print(
      it.podCIDRs.map(({ value }) => printPrefix(value)),
      peers.get(it.name) ?? [],
    ),
  ]);
  const undeclared = [...comeBy].flatMap(([key, clusters]) => {
    const lost = goneBy.get(key) ?? [];
    // Several clusters that leave for one that joins are no rename.
    return lost.length === clusters.length ? clusters.map((it) => undeclaredRename(it, lost)) : [];
  });
  return [...undeclared, ...nowhere];
}

/** True when each cluster with links has one that the lock contains, or the lock is empty; the rest need not be read then. */
function isRecorded({ links }: NetworkModel, decisions: Decisions): boolean {
  if (decisions.size === 0) return true;
  const [all, known] = [new Set<string>(), new Set<string>()];
  for (const { id, server, client } of links) {
    const ends = [server.cluster.name, client.cluster.name];
    for (const it of ends) all.add(it);
    if (decisionAbout(decisions, { kind: 'join', link: id }) !== undefined) for (const it of ends) known.add(it);
  }
  return known.size === all.size;
}

/** The peers of each cluster of a model, with their former names where they are renamed. */
function peersIn({ links }: NetworkModel): ReadonlyMap<string, readonly string[]> {
  const ends = links.flatMap(({ server, client }) => [
    [server.cluster, client.cluster] as const,
    [client.cluster, server.cluster] as const,
  ]);
  return new Map(
    [...groupBy(ends, ([own]) => [own.name])].map(([name, own]) => [
      name,
      own.map(([, { name: peer, renamedFrom }]) => renamedFrom?.value ?? peer),
    ]),
  );
}

/** The clusters with links in a lock: their peers, and their pod CIDRs as far as peers see them. */
function recordedClusters(
  decisions: Decisions,
): ReadonlyMap<string, { readonly peers: readonly string[]; readonly pods: readonly string[] }> {
  const clusters = new Map<string, { readonly peers: Set<string>; readonly pods: Set<string> }>();
  const at = (name: string) => {
    const found = clusters.get(name) ?? { peers: new Set(), pods: new Set() };
    clusters.set(name, found);
    return found;
  };
  for (const text of decisions.keys()) {
    const key = parseLockKey(text);
    if (key === undefined || key.kind === 'block') continue;
    const { first, second } = key.link;
    at(first).peers.add(second);
    at(second).peers.add(first);
    if (key.kind === 'view' && key.role === 'pod')
      at(key.viewer === first ? second : first).pods.add(printPrefix(key.cidr));
  }
  return new Map([...clusters].map(([name, { peers, pods }]) => [name, { peers: [...peers], pods: [...pods] }]));
}

const undeclaredRename = (
  { name, at }: { readonly name: string; readonly at: Located<string>['at'] },
  gone: readonly string[],
): Diagnostic =>
  diagnostic(
    'topology/undeclared-rename',
    at,
    `${quoted(name)} has the pod CIDRs and the peers of ${someOf(gone.map(quoted), MAX_NAMED)}, which ${gone.length === 1 ? 'is' : 'are'} no longer in the topology: without \`renamedFrom\` its addresses, ports and keys are lost`,
    {
      hint: `write \`renamedFrom: ${gone.length === 1 ? gone[0] : 'OLD'}\` in ${quoted(name)} if it is the same cluster; for another one, keep the old one with \`retired: true\` in this change, or run "weft compile --allow-destroy"`,
    },
  );

const MAX_NAMED = 3;

const renamedFromNobody = (name: string, from: Located<string>, gone: readonly string[]): Diagnostic =>
  diagnostic(
    'topology/bad-rename',
    from.at,
    `neither the lock nor the keys file contains ${quoted(from.value)}, the former name of ${quoted(name)}, and no earlier compile had ${quoted(name)}`,
    {
      hint:
        meantHint(from.value, gone) ??
        `remove \`renamedFrom\` if ${quoted(name)} is a new cluster${gone.length === 0 ? '' : `; gone are ${someOf(gone.map(quoted), MAX_NAMED)}`}`,
    },
  );

const finished = (name: string, from: Located<string>): Diagnostic =>
  diagnostic(
    'topology/rename-finished',
    from.at,
    `neither the lock nor the keys file contains ${quoted(from.value)}, the former name of ${quoted(name)}`,
    { about: [[name]], hint: 'remove `renamedFrom`, unless the name is misspelt' },
  );
