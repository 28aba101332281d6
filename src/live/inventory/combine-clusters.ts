import { addAll, groupBy } from '../../base/core/collections.ts';
import { quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { type DocumentNode, mergeNodes, plainOf } from '../../base/source/document-node.ts';
import type { Located } from '../../base/source/source.ts';
import type { InventoryCluster } from './inventory.ts';

interface Combined {
  readonly clusters: readonly InventoryCluster[];
  readonly found: readonly Diagnostic[];
}

/**
 * Combines what inventories of different kinds have about one cluster: the networks of Cluster API and the labels of Argo CD,
 * for instance. Two clusters of one name in one kind of inventory are a mistake, and so are two values of one key.
 */
export function combineClusters(all: readonly InventoryCluster[]): Combined {
  const found: Diagnostic[] = [];
  const clusters = [...groupBy(all, (it) => [it.name.value]).values()].map((same) =>
    same.reduce((first, other) => {
      if (first.kind === other.kind) {
        found.push(clusterTwice(other, first));
        return first;
      }
      addAll(found, contradictions(first, other));
      const keys = mergeNodes(first.keys, other.keys);
      return { kind: first.kind, name: first.name, keys: keys.kind === 'map' ? keys : first.keys };
    }),
  );
  return { clusters, found };
}

function clusterTwice({ kind, name }: InventoryCluster, first: InventoryCluster): Diagnostic {
  const hints: Readonly<Record<InventoryCluster['kind'], string>> = {
    CSV: 'give one of the two another name, or remove its row',
    Terraform: 'give one of the two another name',
    'Cluster API':
      'give one of the two another name with the annotation weft.dev/name, since a namespace is no part of the name',
    'Argo CD': 'give one of the two another name with the annotation weft.dev/name',
  };
  return diagnostic(
    'inventory/cluster-twice',
    name.at,
    `two clusters of the inventory are called ${quoted(name.value)}`,
    {
      hint: hints[kind],
      related: [{ message: 'the first one', span: first.name.at }],
    },
  );
}

/** The keys of which two inventories have different values. */
function* contradictions(first: InventoryCluster, other: InventoryCluster): Iterable<Diagnostic> {
  for (const { value: key, at } of differingKeys(first.keys, other.keys, '')) {
    const message = `${first.kind} and ${other.kind} have another \`${key}\` for ${quoted(other.name.value)}`;
    yield diagnostic('inventory/cluster-twice', other.name.at, message, {
      hint: 'correct one of the two, or import only one of them',
      related: [{ message: 'the other value', span: at }],
    });
  }
}

function differingKeys(one: DocumentNode, other: DocumentNode, path: string): readonly Located<string>[] {
  if (one.kind === 'map' && other.kind === 'map') {
    return [...one.entries].flatMap(([key, { value }]) => {
      const beside = other.entries.get(key)?.value;
      return beside === undefined ? [] : differingKeys(value, beside, path === '' ? key : `${path}.${key}`);
    });
  }
  return isSameValue(one, other) ? [] : [{ value: path, at: one.span }];
}

/** True for equal values; a list of one text is that text. */
export const isSameValue = (one: DocumentNode, other: DocumentNode): boolean =>
  JSON.stringify(withoutList(plainOf(one))) === JSON.stringify(withoutList(plainOf(other)));

const withoutList = (value: unknown): unknown => (Array.isArray(value) && value.length === 1 ? value[0] : value);
