import { sortedUnique } from '../../base/core/collections.ts';
import { decisionLines, type LockKey, parseLockKey, parseLockLines } from '../../base/core/lock-key.ts';
import { countOf } from '../../base/core/words.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { printPrefix } from '../../base/net/text.ts';
import { type AddressedModel, viewsOf } from '../../fleet/ipam/addressed-model.ts';
import type { SharedModel } from '../../fleet/sharing/shared-model.ts';
import type { HistoryView } from '../../plan/plan-changes.ts';
import { countAccepted, countDiagnostics, type DiagnosticCounts } from './diagnostics-document.ts';

/** One run with its decisions and changed files. */
export interface CompileReport {
  /** Path of the topology in messages. */
  readonly topology: string;
  /** True when commands find this topology without an argument. */
  readonly byDefault: boolean;
  readonly summary: CompileSummary;
  readonly counts: DiagnosticCounts;
  /** Warnings and notes that the topology accepts. */
  readonly accepted: DiagnosticCounts;
  /** Decisions that are new in the lock: `3 views`. */
  readonly decided: readonly string[];
  readonly disk: DiskReport;
  /** Clusters that are no longer in the topology and whose folders were removed. */
  readonly gone: readonly string[];
  /** Clusters that the user named; `null` for all. */
  readonly only: readonly string[] | null;
}

export interface DiskReport {
  /** Folder of the bundles. */
  readonly out: string;
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** Path of the lock. */
  readonly lock: string;
  readonly lockChanged: boolean;
}

/** One topology after it was compiled, and written or compared. */
export interface CompiledFleet {
  readonly topology: {
    readonly files: { readonly topology: string; readonly byDefault: boolean; readonly lock: string };
    readonly diagnostics: readonly Diagnostic[];
  };
  readonly summary: CompileSummary;
  readonly decided: CompileReport['decided'];
  readonly out: string;
  readonly only: readonly string[] | null;
  /** Paths below `out`. */
  readonly tree: {
    readonly created: readonly string[];
    readonly changed: readonly string[];
    readonly removed: readonly string[];
    readonly unchanged: number;
    readonly lockChanged: boolean;
  };
  readonly gone: readonly string[];
}

export function compileReport({ topology, summary, decided, out, only, tree, gone }: CompiledFleet): CompileReport {
  const { files, diagnostics } = topology;
  const { created, changed, removed, unchanged, lockChanged } = tree;
  const counts = { created: created.length, changed: changed.length, removed: removed.length, unchanged, lockChanged };
  return {
    topology: files.topology,
    byDefault: files.byDefault,
    summary,
    counts: countDiagnostics(diagnostics),
    accepted: countAccepted(diagnostics),
    decided,
    disk: { out, lock: files.lock, ...counts },
    gone,
    only,
  };
}

/** The decisions of one compile, as data. */
export interface CompileSummary {
  readonly fleet: string;
  readonly clusters: number;
  readonly hubs: readonly string[];
  readonly retired: readonly string[];
  readonly links: { readonly hub: number; readonly peering: number; readonly shortcut: number };
  /** `null` for a fleet without shared resources. */
  readonly sharing: SharingCounts | null;
  readonly views: ViewCounts;
  /** The first few remapped views; pod views come before external ones. */
  readonly remapped: readonly RemappedView[];
}

interface SharingCounts {
  /** Pairs of a consumer and a provider. */
  readonly pairs: number;
  readonly slices: number;
  readonly namespaces: number;
}

interface ViewCounts {
  readonly total: number;
  readonly remapped: number;
  readonly orderDependent: number;
  readonly history: number;
}

interface RemappedView extends HistoryView {
  readonly kind: 'pod' | 'external';
}

const SHOWN_VIEWS = 4;

export function compileSummary(model: SharedModel): CompileSummary {
  const clusters = [...model.clusters.values()];
  const count = (kind: string) => model.links.filter((it) => it.kind === kind).length;
  return {
    fleet: model.fleet.name,
    clusters: clusters.length,
    hubs: sortedUnique(clusters.flatMap((it) => it.hubs)),
    retired: clusters.filter((it) => it.retired).map((it) => it.name),
    links: { hub: count('hub'), peering: count('peering'), shortcut: count('shortcut') },
    sharing: countSharing(model),
    ...summarizeViews(model),
  };
}

function countSharing({ shares, offloadings }: SharedModel): SharingCounts | null {
  if (shares.length + offloadings.length === 0) return null;
  const slices = shares.reduce((sum, it) => sum + it.slices.length, 0);
  return { pairs: shares.length, slices, namespaces: offloadings.length };
}

function summarizeViews(model: AddressedModel): Pick<CompileSummary, 'views' | 'remapped'> {
  const views = { total: 0, remapped: 0, orderDependent: 0, history: 0 };
  const pods: RemappedView[] = [];
  const externals: RemappedView[] = [];
  for (const cluster of model.clusters.values()) {
    for (const peer of cluster.peers.values()) {
      const all = viewsOf(peer);
      views.total += all.length;
      if (peer.orderDependent) views.orderDependent += all.length;
      for (const view of all) {
        if (view.history) views.history += 1;
        if (view.cidr.base === view.seenAs.base) continue;
        views.remapped += 1;
        const kind = view === peer.externalView ? 'external' : 'pod';
        const list = kind === 'pod' ? pods : externals;
        if (list.length >= SHOWN_VIEWS) continue;
        const [cidr, seenAs] = [printPrefix(view.cidr), printPrefix(view.seenAs)];
        list.push({ cluster: cluster.name, peer: peer.name, kind, cidr, seenAs });
      }
    }
  }
  return { views, remapped: [...pods, ...externals].slice(0, SHOWN_VIEWS) };
}

/** The words for each kind of decision, in the order in which they are listed. */
const KINDS: Readonly<Record<LockKey['kind'], { readonly one: string; readonly many: string }>> = {
  join: { one: 'place in the join order', many: 'places in the join order' },
  nudge: { one: 'nudge', many: 'nudges' },
  view: { one: 'view', many: 'views' },
  port: { one: 'port', many: 'ports' },
  block: { one: 'address block', many: 'address blocks' },
};

/** Describes the new decisions of a lock: `["3 views", "1 port"]`. A lock has one line per decision. */
export function describeLockChanges(before: string | undefined, after: string): readonly string[] {
  if (before === after) return [];
  const known = decisionLines(before ?? '');
  const made = parseLockLines([...decisionLines(after)].filter((it) => !known.has(it)));
  const kinds = [...made.keys()].map((it) => parseLockKey(it)?.kind);
  return Object.entries(KINDS).flatMap(([kind, { one, many }]) => {
    const count = kinds.filter((it) => it === kind).length;
    return count === 0 ? [] : [countOf(count, one, many)];
  });
}
