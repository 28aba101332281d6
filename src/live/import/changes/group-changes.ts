import { sortedUnique } from '../../../base/core/order.ts';
import type { ClusterDrift, Finding } from '../../drift/drift.ts';
import type { ChangeGroup, ChangeKind, Effect, Moves } from './change-group.ts';
import { EFFECTS, kindOfChange } from './kind-of-change.ts';

interface GroupedChanges {
  /** Those that move something first. */
  readonly groups: readonly ChangeGroup[];
  readonly moves: Moves;
}

interface Change {
  readonly cluster: string;
  readonly finding: Finding;
  readonly kind: ChangeKind;
}

/** What applying bundles would change in live clusters, by its reason, and how much of it moves something. */
export function groupChanges(clusters: readonly ClusterDrift[]): GroupedChanges {
  const byKind = new Map<ChangeKind, Change[]>();
  for (const { cluster, findings } of clusters) {
    for (const finding of findings) {
      const kind = kindOfChange(finding);
      if (kind === null) continue;
      const same = byKind.get(kind) ?? [];
      same.push({ cluster, finding, kind });
      byKind.set(kind, same);
    }
  }
  const groups = (Object.keys(EFFECTS) as ChangeKind[]).flatMap((kind) => groupOf(kind, byKind.get(kind) ?? []));
  const changes = [...byKind.values()].flat();
  return {
    groups: groups.sort((a, b) => rank(a) - rank(b)),
    moves: {
      views: changes.filter((it) => EFFECTS[it.kind] === 'view').length,
      ports: objectsIn(changes, ['port']),
      restarts: objectsAmong(changes.filter(isRestart)),
      keys: objectsIn(changes, ['key']),
    },
  };
}

/** The type and the address of a Service are no arguments of a container; its port is. */
const isRestart = ({ kind }: Change): boolean => EFFECTS[kind] === 'restart' || kind === 'port';

const rank = ({ effect }: ChangeGroup): number => (effect === 'nothing' ? 1 : 0);

function groupOf(kind: ChangeKind, changes: readonly Change[]): readonly ChangeGroup[] {
  const [first] = changes;
  if (first === undefined) return [];
  const { cluster, finding } = first;
  return [
    {
      kind,
      effect: EFFECTS[kind],
      objects: objectsAmong(changes),
      clusters: sortedUnique(changes.map((it) => it.cluster)),
      example: { cluster, object: finding.object, path: finding.kind === 'different' ? finding.path : [] },
    },
  ];
}

const objectsIn = (changes: readonly Change[], effects: readonly Effect[]): number =>
  objectsAmong(changes.filter((it) => effects.includes(EFFECTS[it.kind])));

const objectsAmong = (changes: readonly Change[]): number =>
  new Set(
    changes.map(({ cluster, finding: { object } }) =>
      [cluster, object.key, object.namespace ?? '', object.name].join('\0'),
    ),
  ).size;
