import { quoted, someOf } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { andThen, failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import {
  type DocumentEntry,
  type DocumentMap,
  type DocumentNode,
  mergeNodes,
  nodeAt,
} from '../../base/source/document-node.ts';
import type { Source } from '../../base/source/source.ts';
import { checkTopology } from '../../fleet/topology/check-topology.ts';
import { parseJoined } from '../../fleet/topology/parse-topology.ts';
import type { InventoryCluster, InventoryKind } from './inventory.ts';
import {
  type ChangedKey,
  changedKeys,
  combineClusters,
  newFile,
  updateFile,
  type WrittenYaml,
} from './update-clusters.ts';

/** The files of a fleet around the one with the clusters of its inventory. */
export interface FleetFiles {
  readonly topology: WrittenYaml;
  /** The path of the file with the clusters of the inventory, and the file if it is there. */
  readonly path: string;
  readonly file: WrittenYaml | undefined;
  /** The other files that the topology includes. */
  readonly others: readonly WrittenYaml[];
  /** The path of the schema for editors from the file; null without one. */
  readonly schema: string | null;
}

/** The changes of an inventory in the file with its clusters. */
export interface InventoryUpdate {
  readonly text: string;
  readonly added: readonly string[];
  readonly changed: readonly ChangedKey[];
  readonly unchanged: readonly string[];
  /** Clusters of the file that the inventory does not have. */
  readonly gone: readonly string[];
  /** Clusters that another file of the fleet declares, which keeps them. */
  readonly elsewhere: readonly { readonly cluster: string; readonly path: string }[];
}

/** Updates the clusters of a fleet from those of an inventory. Nothing is removed, and a mistake changes nothing. */
export function updateInventory(all: readonly InventoryCluster[], files: FleetFiles): Outcome<InventoryUpdate> {
  const { clusters, found } = combineClusters(all);
  if (found.length > 0) return failure(found);
  const declared = new Map([files.topology, ...files.others].flatMap(entriesOf));
  const own = clusters.filter((it) => !declared.has(it.name.value));
  const joined = joinedClusters(clusters, { files, declared });
  const missing = missingNetworks(own, { files, joined });
  const without = new Set(missing.flatMap((it) => it.names));
  const checked = checkJoined(new Map([...joined].filter(([name]) => !without.has(name))), {
    topology: files.topology,
    inventory: new Set(clusters.map((it) => it.name.at.source)),
  });
  const mistakes = [...missing.map((it) => it.problem), ...checked];
  if (mistakes.some((it) => it.severity === 'error')) return failure(mistakes);
  const { text, added, changed } = files.file === undefined ? newFile(own, files.schema) : updateFile(files.file, own);
  const touched = new Set([...added, ...changed.map((it) => it.cluster)]);
  const names = new Set(clusters.map((it) => it.name.value));
  const gone = entriesOf(files.file).filter(([name, { value }]) => !names.has(name) && !isRetired(value));
  return outcome(
    {
      text,
      added,
      changed,
      unchanged: own.map((it) => it.name.value).filter((it) => !touched.has(it)),
      gone: gone.map(([name]) => name),
      elsewhere: clusters.flatMap(({ name }) => {
        const at = declared.get(name.value);
        return at === undefined ? [] : [{ cluster: name.value, path: at.key.source.path }];
      }),
    },
    [...mistakes, ...declaredElsewhere(clusters, declared), ...goneClusters(gone, files.path)],
  );
}

const entriesOf = (file: WrittenYaml | undefined): readonly (readonly [string, DocumentEntry])[] => {
  const clusters = file === undefined ? undefined : nodeAt(file.root, ['clusters']);
  return clusters?.kind === 'map' ? [...clusters.entries] : [];
};

const isRetired = (cluster: DocumentNode): boolean => {
  const retired = nodeAt(cluster, ['retired']);
  return retired?.kind === 'scalar' && retired.value === true;
};

interface Joining {
  readonly files: FleetFiles;
  readonly declared: ReadonlyMap<string, DocumentEntry>;
}

/** All clusters as they will be: the keys of the inventory over those of the file. Each part keeps its place. */
function joinedClusters(
  clusters: readonly InventoryCluster[],
  { files, declared }: Joining,
): ReadonlyMap<string, DocumentEntry> {
  const joined = new Map<string, DocumentEntry>([...declared, ...entriesOf(files.file)]);
  for (const { name, keys } of clusters) {
    if (declared.has(name.value)) continue;
    const there = joined.get(name.value)?.value;
    joined.set(name.value, { key: name.at, value: there === undefined ? keys : mergeNodes(there, keys) });
  }
  return joined;
}

const NETWORKS = [
  ['podCIDR', 'pod CIDR'],
  ['serviceCIDR', 'service CIDR'],
] as const;

/** Inventories of objects of Kubernetes, whose annotations are read, too. */
const OF_OBJECTS: ReadonlySet<InventoryKind> = new Set(['Cluster API', 'Argo CD']);

interface Missing {
  readonly names: readonly string[];
  readonly problem: Diagnostic;
}

/** Networks that neither the inventory nor the files have: reported once for all clusters without them. */
function missingNetworks(
  clusters: readonly InventoryCluster[],
  { files, joined }: { readonly files: FleetFiles; readonly joined: ReadonlyMap<string, DocumentEntry> },
): readonly Missing[] {
  const known = new Set(entriesOf(files.file).map(([name]) => name));
  return NETWORKS.flatMap(([key, words]) => {
    if (nodeAt(files.topology.root, ['defaults', key]) !== undefined) return [];
    const without = clusters.filter(({ name }) => {
      const cluster = joined.get(name.value)?.value;
      return cluster !== undefined && nodeAt(cluster, [key]) === undefined;
    });
    const [first] = without;
    if (first === undefined) return [];
    const names = without.map((it) => it.name.value);
    const message = `the inventory has no ${words} for ${someOf(names.map(quoted), 3)}`;
    const inObjects = OF_OBJECTS.has(first.kind) ? `, as the annotation weft.dev/${key}` : '';
    const entries = names.length === 1 ? 'its entry' : 'their entries';
    const inFile = names.some((it) => known.has(it)) ? `, or to ${entries} in ${files.path}` : '';
    const hint = `add \`${key}\` to the inventory${inObjects}${inFile}; if all clusters have the same, add it to \`defaults\` in ${files.topology.source.path}`;
    return [{ names, problem: diagnostic('inventory/missing-network', first.name.at, message, { hint }) }];
  });
}

/** The keys of a topology that decide what its clusters may have. */
const BESIDE_CLUSTERS = ['version', 'name', 'liqo', 'ipam', 'defaults'];

interface Checking {
  readonly topology: WrittenYaml;
  /** The texts of the inventory. */
  readonly inventory: ReadonlySet<Source>;
}

/** The errors in the clusters as they will be, and the warnings about what the inventory has. */
function checkJoined(
  clusters: ReadonlyMap<string, DocumentEntry>,
  { topology, inventory }: Checking,
): readonly Diagnostic[] {
  const { source, root } = topology;
  const { span } = root;
  const value: DocumentMap = { kind: 'map', span, entries: clusters };
  const entries = new Map([...root.entries].filter(([key]) => BESIDE_CLUSTERS.includes(key)));
  const joined: DocumentMap = { kind: 'map', span, entries: entries.set('clusters', { key: span, value }) };
  const { diagnostics } = andThen(parseJoined(source, joined), checkTopology);
  return diagnostics.filter(
    (it) => it.severity === 'error' || (it.severity === 'warning' && inventory.has(it.span.source)),
  );
}

/** Reports clusters that another file declares, if it has other values than the inventory. */
const declaredElsewhere = (
  clusters: readonly InventoryCluster[],
  declared: ReadonlyMap<string, DocumentEntry>,
): readonly Diagnostic[] =>
  clusters.flatMap(({ name, keys }) => {
    const there = declared.get(name.value);
    const differing = there === undefined ? [] : changedKeys(there.value, keys);
    if (there === undefined || differing.length === 0) return [];
    const { key } = there;
    const words = someOf(
      differing.map((it) => `\`${it.key}\``),
      4,
    );
    const message = `${quoted(name.value)} is declared in ${key.source.path}, so the inventory does not update it: it has another ${words}`;
    return diagnostic('inventory/declared-elsewhere', key, message, {
      hint: 'move its entry into the file of the inventory, or correct it here',
      about: [[name.value]],
    });
  });

/** Reports clusters of the file that the inventory does not have, all at the first of them. */
function goneClusters(gone: readonly (readonly [string, DocumentEntry])[], path: string): readonly Diagnostic[] {
  const [first] = gone;
  if (first === undefined) return [];
  const names = gone.map(([name]) => name);
  const isOne = names.length === 1;
  const message = `${someOf(names.map(quoted), 5)} ${isOne ? 'is' : 'are'} in ${path}, but no longer in the inventory`;
  const hint = `${isOne ? 'its entry stays' : 'their entries stay'}: if another inventory has ${isOne ? 'it' : 'them'}, name both in one call; add \`retired: true\` to remove a cluster from the fleet in order, and delete the entry when that is done`;
  return [diagnostic('inventory/cluster-gone', first[1].key, message, { hint, about: names.map((it) => [it]) })];
}
