import { visibleText } from '../../../base/core/visible-text.ts';
import { countOf, moreLine, shownOf, someOf } from '../../../base/core/words.ts';
import type { ClusterDrift } from '../../../live/drift/drift.ts';
import {
  type ChangeGroup,
  changeWords,
  type Moves,
  PAUSE_SECONDS,
  type TunnelPauses,
} from '../../../live/import/changes.ts';
import type { InventoryUpdate } from '../../../live/inventory/update-inventory.ts';
import { type Answer, unlessQuiet } from '../answer.ts';
import { commandLines, type LiveNames } from '../live-commands.ts';
import type { Paint } from '../paint.ts';

/** `weft import`. */
export const importAnswer: Answer<'import', ImportReport> = {
  text: unlessQuiet((report, { paint }) => printImported(report, paint)),
  json: (report) => ({ import: importDocument(report) }),
};

/** `weft import`: the written files, the changes by reason, and the takeover by a GitOps tool. */
function printImported(report: ImportReport, paint: Paint): string {
  const { written, isCheck, clusters, links, changes, groups } = report;
  // The number of objects that are both in the bundles and in the dumps.
  const compared = changes.reduce((sum, it) => sum + it.compared, 0);
  return [
    ...written.map((it) => `${isCheck ? 'would write' : 'wrote'} ${visibleText(it)}`),
    `${countOf(clusters, 'cluster')}, ${countOf(links, 'link')}; ${countOf(compared, 'object')} compared with what these files compile to`,
    '',
    ...(groups.length === 0
      ? ['applying the bundles would change nothing']
      : [
          'what applying the bundles would change in the clusters, and why:',
          ...groups.flatMap((it) => groupLines(it, paint)),
        ]),
    '',
    movesLine(report.moves, paint),
    ...pauseLines(report.pauses, paint),
    '',
    ...takeoverSteps(report).map(visibleText),
    ...(isCheck ? ['', 'nothing was written: run it again without --check'] : []),
    '',
  ].join('\n');
}

const CLUSTERS_SHOWN = 4;

function groupLines(it: ChangeGroup, paint: Paint): readonly string[] {
  const mark = it.effect === 'nothing' ? paint.quiet('-') : paint.warning('!');
  const { cluster, object, path } = it.example;
  const place = `${object.kind} ${object.namespace === null ? '' : `${object.namespace}/`}${object.name}`;
  const field = path.length === 0 ? '' : `, ${path.join('.')}`;
  return [
    `  ${mark} ${changeWords(it)}`,
    `    ${paint.quiet(visibleText(`in ${someOf(it.clusters, CLUSTERS_SHOWN)}; for instance ${place} in ${cluster}${field}`))}`,
  ];
}

function movesLine({ views, ports, restarts, keys }: Moves, paint: Paint): string {
  const counts = `${countOf(views, 'view')}, ${countOf(ports, 'port')}, ${countOf(restarts, 'restart')}`;
  const isNothing = views + ports + restarts + keys === 0;
  if (isNothing) return `${paint.good('nothing would move')}: ${counts}`;
  return `${paint.warning('would move')}: ${counts}${keys === 0 ? '' : `, ${countOf(keys, 'key')}`}`;
}

function pauseLines({ tunnels, servers }: TunnelPauses, paint: Paint): readonly string[] {
  if (tunnels === 0) return [];
  return [
    `${paint.warning('!')} ${countOf(tunnels, 'tunnel')} ${tunnels === 1 ? 'carries' : 'carry'} nothing once, for about ${PAUSE_SECONDS} seconds, when Argo CD or Flux marks the PublicKeys:`,
    `  ${visibleText(someOf(servers, CLUSTERS_SHOWN))}: as a server, Liqo before 1.2 forgets its client at any change of a PublicKey, also of its annotations alone`,
  ];
}

/** The result of `weft import`. */
export interface ImportReport {
  readonly files: {
    readonly topology: string;
    readonly keys: string;
    readonly lock: string;
  };
  /** The paths of the files; with `isCheck`, of the files that would be written. */
  readonly written: readonly string[];
  /** True when nothing should be written. */
  readonly isCheck: boolean;
  readonly clusters: number;
  readonly links: number;
  /** The changes in each cluster if the compiled bundles are applied. */
  readonly changes: readonly ClusterDrift[];
  readonly groups: readonly ChangeGroup[];
  readonly moves: Moves;
  readonly pauses: TunnelPauses;
  /** The names of clusters in commands, as the call has them. */
  readonly names: LiveNames;
}

/** The document of `weft import -o json`. Programs rely on it: keys are added, never removed or changed in meaning. */
interface ImportDocument {
  /** Written files; with `--check`, those that would be written. */
  readonly files: readonly string[];
  readonly written: boolean;
  /** The number of objects that applying the bundles would move. */
  readonly moves: Moves;
  readonly pauses: TunnelPauses;
  readonly changes: readonly ChangeRow[];
  readonly clusters: readonly { readonly cluster: string; readonly compared: number; readonly differences: number }[];
}

interface ChangeRow extends ChangeGroup {
  readonly text: string;
}

const importDocument = ({ written, isCheck, groups, moves, pauses, changes }: ImportReport): ImportDocument => ({
  files: written,
  written: !isCheck,
  moves,
  pauses,
  changes: groups.map((it) => ({ ...it, text: changeWords(it) })),
  clusters: changes.map((it) => ({
    cluster: it.cluster,
    compared: it.compared,
    differences: it.findings.length,
  })),
});

/**
 * Explains how Argo CD or Flux takes over live objects. Both apply to the object of the same name, with server-side
 * apply, and take the bundle's fields over from kubectl and liqoctl; other fields stay with their owner. Source:
 * argoproj/argo-cd v3 util/kube/kubectl.go (force-conflicts), fluxcd/pkg/ssa manager_apply.go. Any change of a
 * Configuration reconciles it and rewrites its rules without the names from a webhook: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/networking/external-network/remapping/cidr.go.
 */
const takeoverSteps = ({
  files,
  pauses,
  changes,
  names,
}: Pick<ImportReport, 'files' | 'pauses' | 'changes' | 'names'>): readonly string[] => [
  'to let Argo CD or Flux take these objects over without creating one again:',
  `  1. read ${files.topology}, then "weft compile" and commit it with the keys, the lock and out/`,
  '  2. just before the first sync, look once more: applying out/ changes nothing in the network',
  ...commandsAbout('plan', changes, names),
  '  3. pruning deletes only what the tool has applied itself, so the first sync deletes nothing. Every object keeps its name and',
  '     namespace, and the tool adds its mark. From then on an object that leaves git is deleted: do not revert this commit',
  '  4. let it apply on the server (Argo CD: ServerSideApply=true, as in the entry points of weft; Flux always does): it takes the',
  '     fields of the bundle over from kubectl and liqoctl, and leaves spec.local and status to Liqo. It marks every object once, and',
  '     Liqo then writes the NAT rules of each Configuration again: a connection that begins then may have to be made again',
  ...(pauses.tunnels === 0
    ? []
    : [
        '     Let it apply the clusters that serve tunnels first, and their clients directly after: a change of the PublicKey in the',
        '     cluster of the client makes it connect at once, instead of after 15 seconds',
      ]),
  '  5. if another Application or Kustomization has these objects now, turn its pruning off before they leave it',
  '     Tenant namespaces are never pruned; a PublicKey that liqoctl made is deleted with its gateway, and the tool then creates it again',
  '  6. prove it with "weft drift", which ends with "no drift" when all of this is done',
  ...commandsAbout('drift', changes, names),
];

const commandsAbout = (run: 'plan' | 'drift', clusters: ImportReport['changes'], names: LiveNames): readonly string[] =>
  commandLines([{ run, clusters: clusters.map((it) => it.cluster) }], names, false).map((it) => `       ${it}`);

/** `weft import --clusters`. */
export const inventoryAnswer: Answer<'import', InventoryReport> = {
  text: unlessQuiet((report, { paint }) => printInventory(report, paint)),
  json: (report) => ({ inventory: inventoryDocument(report) }),
};

/** The result of `weft import --clusters`. */
export interface InventoryReport extends Omit<InventoryUpdate, 'text'> {
  readonly topology: string;
  /** The file with the clusters. */
  readonly file: string;
  readonly topologyChange: 'new' | 'includes-file' | 'none';
  /** The paths of the files that are written; with `isCheck`, of those that would be. */
  readonly written: readonly string[];
  readonly isCheck: boolean;
}

const TOPOLOGY_WORDS = {
  new: 'a new topology: name its hub there',
  'includes-file': 'one line more, which includes the clusters',
} as const;

/** Rows of clusters and keys that are printed; `-o json` has all of them. */
const MOST_ROWS = 20;

function printInventory(report: InventoryReport, paint: Paint): string {
  const { added, changed, unchanged, gone, elsewhere, written, isCheck, topology, topologyChange } = report;
  const files = written.map((it) => {
    const what = it === topology && topologyChange !== 'none' ? ` (${TOPOLOGY_WORDS[topologyChange]})` : '';
    return `${isCheck ? 'would write' : 'wrote'} ${visibleText(it)}${what}`;
  });
  const changedClusters = new Set(changed.map((it) => it.cluster)).size;
  const counts = [
    `${added.length} added`,
    `${changedClusters} changed`,
    `${unchanged.length} unchanged`,
    ...(elsewhere.length === 0 ? [] : [`${elsewhere.length} in other files of the fleet`]),
    ...(gone.length === 0 ? [] : [`${gone.length} no longer in the inventory`]),
  ];
  const total = added.length + changedClusters + unchanged.length + elsewhere.length;
  return [
    ...files,
    `${countOf(total, 'cluster')} in the inventory: ${counts.join(', ')}`,
    ...rows(added, (it) => `${paint.good('+')} ${visibleText(it)}`),
    ...rows(
      changed,
      ({ cluster, key, from, to }) =>
        `${paint.warning('~')} ${visibleText(`${cluster}: ${key} ${from === null ? to : `${from} -> ${to}`}`)}`,
    ),
    ...rows(gone, (it) => `${paint.warning('!')} ${visibleText(it)} stays, see the warning`),
    ...nextStep(report),
    '',
  ].join('\n');
}

function rows<T>(items: readonly T[], print: (item: T) => string): readonly string[] {
  const count = shownOf(items.length, MOST_ROWS);
  const more = moreLine(items.length - count).map((it) => `  ${it}`);
  return [...items.slice(0, count).map((it) => `  ${print(it)}`), ...more];
}

function nextStep({ written, isCheck }: InventoryReport): readonly string[] {
  if (written.length === 0) return ['nothing to write: the clusters are up to date'];
  if (isCheck) return ['nothing was written: run it again without --check'];
  return ['"weft plan" shows what this changes in the network'];
}

/** The document of `weft import --clusters -o json`. Programs rely on it: keys are added, never removed or changed in meaning. */
const inventoryDocument = ({ isCheck, written, ...report }: InventoryReport) => ({
  files: written,
  written: !isCheck,
  topology: report.topology,
  file: report.file,
  topologyChange: report.topologyChange,
  added: report.added,
  changed: report.changed,
  unchanged: report.unchanged,
  gone: report.gone,
  elsewhere: report.elsewhere,
});
