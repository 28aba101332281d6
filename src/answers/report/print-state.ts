import { visibleText } from '../../base/core/visible-text.ts';
import { countOf, listOf, shellWord, someOf } from '../../base/core/words.ts';
import { type Diagnostic, isOpen } from '../../base/diagnostics/diagnostic.ts';
import { isMadeByLiqo } from '../../fleet/keys/missing-keys.ts';
import type { SharedModel } from '../../fleet/sharing/shared-model.ts';
import { countDiagnostics, printCounts } from './diagnostics-document.ts';
import { alignRows, printLines, wrapLines } from './layout.ts';
import type { Paint } from './paint.ts';

/** A topology, and whether its bundles and its lock are current. */
interface TopologyState {
  readonly topology: string;
  /** The folder of its bundles. */
  readonly out: string;
  readonly diagnostics: readonly Diagnostic[];
  /** `null` when it has errors. */
  readonly fleet: {
    readonly model: SharedModel;
    readonly keyless: { readonly gateways: number; readonly consumers: number };
    readonly hasLock: boolean;
    readonly disk: DiskState;
  } | null;
}

/** The state of the folder of a fleet: in no git repository, with something to commit, or with nothing. */
export type InGit = 'absent' | 'changed' | 'committed';

type DiskState =
  /** Why `weft compile` writes nothing, and what to do. */
  { readonly kind: 'refused'; readonly message: string; readonly hint: string | undefined } | ComparedBundles;

/** The bundles and the lock on disk, compared with what a compile would write. */
export interface ComparedBundles {
  readonly kind: 'compared';
  readonly lockChanged: boolean;
  readonly isCurrent: boolean;
  /** True when there are no bundles yet. */
  readonly isNew: boolean;
  /** The numbers of files that a compile would write and remove. */
  readonly toWrite: number;
  readonly toRemove: number;
}

/** A command, and what it does. */
type Step = readonly [command: string, purpose: string];

/** Printed by `weft` alone where there is no fleet. */
export const printNoFleet = (paint: Paint): string =>
  printLines([
    ...wrapLines(['There is no fleet here: neither a file topology.yaml nor a folder topologies/. To begin:'], paint),
    ...steps(
      [
        ['weft init', 'write a starter topology and a CI workflow into this folder'],
        ['weft import --context rome', 'or the topology of clusters that run Liqo; "weft --help" lists all commands'],
      ],
      paint,
    ),
  ]);

/** The folder of a fleet, and how its state is printed. */
interface FleetFolder {
  readonly inGit: InGit;
  readonly paint: Paint;
}

/**
 * Printed by `weft` alone in the folder of a fleet.
 *
 * @param others topologies that commands do not take unless they are named
 */
export function printState(state: TopologyState, others: readonly string[], folder: FleetFolder): string {
  const { paint } = folder;
  const { topology, fleet } = state;
  const name =
    fleet === null ? visibleText(topology) : `${paint.strong(fleet.model.fleet.name)} from ${visibleText(topology)}`;
  return printLines([
    name,
    '',
    ...alignRows(rowsOf(state), paint.columns === undefined ? undefined : paint.columns - 2).map((it) => `  ${it}`),
    '',
    ...(others.length === 0 ? [] : wrapLines([othersText(topology, others), ''], paint)),
    ...nextLines(state, '', folder),
  ]);
}

function rowsOf({ out, diagnostics, fleet }: TopologyState): readonly (readonly string[])[] {
  const found = printCounts(countDiagnostics(diagnostics));
  const topology = [
    'topology',
    [...(fleet === null ? [] : ['no errors']), ...(found === '' ? [] : [found])].join(', '),
  ];
  if (fleet === null) return [topology];
  const { model, disk, hasLock } = fleet;
  return [
    ['clusters', String(model.clusters.size)],
    [
      'links',
      model.links.length === 0 && model.clusters.size > 1
        ? '0: name a `hub`, or add `peerings`'
        : String(model.links.length),
    ],
    ...(model.shares.length === 0 ? [] : [['loans', String(model.shares.length)]]),
    topology,
    ['keys', keysText(fleet)],
    ...(disk.kind === 'refused'
      ? [[`${out}/`, `cannot be written: ${disk.message}`]]
      : [
          ['lock', disk.lockChanged ? (hasLock ? 'out of date' : 'not written yet') : 'up to date'],
          [`${out}/`, outText(disk)],
        ]),
  ];
}

function keysText({ model, keyless }: NonNullable<TopologyState['fleet']>): string {
  const { gateways, consumers } = keyless;
  const missing = [
    ...(gateways === 0 ? [] : [`${gateways} of ${countOf(2 * model.links.length, 'gateway')}`]),
    ...(consumers === 0 ? [] : [`${countOf(consumers, 'cluster')} that ${consumers === 1 ? 'borrows' : 'borrow'}`]),
  ];
  return missing.length === 0 ? 'none missing' : `missing for ${listOf(missing)}`;
}

function outText({ isCurrent, isNew, toWrite, toRemove }: Extract<DiskState, { kind: 'compared' }>): string {
  if (isCurrent) return 'up to date';
  if (isNew) return 'not written yet';
  const parts = [
    ...(toWrite === 0 ? [] : [`${countOf(toWrite, 'file')} to write`]),
    ...(toRemove === 0 ? [] : [`${toRemove} to remove`]),
  ];
  return `out of date${parts.length === 0 ? '' : `: ${listOf(parts)}`}`;
}

const othersText = (topology: string, others: readonly string[]): string =>
  visibleText(
    `Commands take ${topology} unless they name another one: ${someOf(others, 3)}. "weft compile --all" compiles all of them.`,
  );

/**
 * Printed by `weft` alone for several topologies with bundles in folders of their own: a line for each.
 *
 * @param taken the one that commands take; `null` if one must be named
 */
export function printStates(states: readonly TopologyState[], taken: string | null, folder: FleetFolder): string {
  const { paint } = folder;
  const rows = states.map((it) => [it.topology, ...lineOf(it)]);
  const title = `${countOf(states.length, 'topology', 'topologies')}; ${taken === null ? 'commands need the name of one' : `commands without a name take ${visibleText(taken)}`}:`;
  const urgent = states.find((it) => it.fleet === null) ?? states.find((it) => !isDone(it));
  return printLines([
    ...wrapLines([title], paint),
    '',
    ...alignRows(rows, paint.columns === undefined ? undefined : paint.columns - 2).map((it) => `  ${it}`),
    '',
    ...(urgent === undefined ? doneLines(states, folder) : nextLines(urgent, ` ${shellWord(urgent.topology)}`, folder)),
  ]);
}

function lineOf({ diagnostics, fleet }: TopologyState): readonly string[] {
  const found = printCounts(countDiagnostics(diagnostics));
  if (fleet === null) return ['', found];
  const { model, disk, keyless } = fleet;
  const facts = [
    countOf(model.clusters.size, 'cluster'),
    countOf(model.links.length, 'link'),
    ...(found === '' ? [] : [found]),
    ...(keyless.gateways + keyless.consumers === 0 ? [] : ['keys missing']),
    disk.kind === 'refused'
      ? 'cannot be written'
      : disk.isNew
        ? 'not written yet'
        : isStale(disk)
          ? 'out of date'
          : 'up to date',
  ];
  return [model.fleet.name, facts.join(', ')];
}

const isStale = (disk: DiskState): boolean => disk.kind === 'refused' || disk.lockChanged || !disk.isCurrent;

/** True if nothing is left to do with weft. */
const isDone = (state: TopologyState): boolean =>
  state.fleet !== null && !isStale(state.fleet.disk) && !lacksKeys(state);

/** True for missing keys that the topology does not accept. Keys in use that git does not have are not made again. */
const lacksKeys = ({ fleet, diagnostics }: TopologyState): boolean =>
  fleet !== null &&
  fleet.keyless.gateways + fleet.keyless.consumers > 0 &&
  diagnostics.some((it) => isOpen(it) && (it.code === 'keys/missing' || it.code === 'sharing/key-missing'));

/** @param argument the topology in commands, after a space; empty for the default one */
function nextLines(state: TopologyState, argument: string, folder: FleetFolder): readonly string[] {
  const { fleet, out } = state;
  const { paint } = folder;
  if (fleet === null)
    return next([[`weft validate${argument}`, 'show every mistake, with its place and a hint']], paint);
  const { disk } = fleet;
  if (disk.kind === 'refused') return wrapLines([`Next, for weft compile: ${disk.hint ?? 'remove the cause'}`], paint);
  if (lacksKeys(state)) {
    const own = argument === '' ? '' : `/${fleet.model.fleet.name}`;
    if (fleet.keyless.consumers === 0 && isMadeByLiqo(fleet.model))
      return next(
        [[`weft keys collect${argument} --context CLUSTER`, 'record the public keys that gateways have made']],
        paint,
      );
    const command = `weft keys generate${argument} --secrets-dir ~/weft-secrets${own}`;
    return next([[command, 'make the missing keys; private keys stay outside of git']], paint);
  }
  if (!isStale(disk)) return doneLines([state], folder);
  const elsewhere = argument === '' ? '' : ` --out ${shellWord(out)}`;
  // With every decision in the lock and no bundles, the fleet was imported: it is no new one, as a plan would show it.
  const isImported = disk.isNew && !disk.lockChanged;
  return next(
    [
      ...(isImported
        ? []
        : [[`weft plan${argument}${elsewhere}`, 'show what changes, for whom, and in which order'] as const]),
      [`weft compile${argument === '' ? '' : ' --all'}`, `write ${visibleText(out)}/ and the lock`],
    ],
    paint,
  );
}

const NAMED_CONTEXTS = 3;

function doneLines(states: readonly TopologyState[], { inGit, paint }: FleetFolder): readonly string[] {
  const [first] = states;
  const clusters = [...(first?.fleet?.model.clusters.values() ?? [])].filter((it) => !it.retired).map((it) => it.name);
  const contexts = clusters.slice(0, clusters.length > NAMED_CONTEXTS ? 1 : NAMED_CONTEXTS);
  const drift = ['weft drift', ...contexts.map((it) => `--context ${it}`)].join(' ');
  const canDrift = states.length === 1 && contexts.length > 0;
  if (inGit === 'committed' && !canDrift) return wrapLines([ALL_COMMITTED], paint);
  return next(
    [
      ...(inGit === 'changed' ? [['git status', 'what to commit: Argo CD or Flux apply what is in git'] as const] : []),
      ...(canDrift
        ? [[drift, driftPurpose(clusters.length > contexts.length)] as const]
        : [['weft --help', 'list all commands'] as const]),
    ],
    paint,
    inGit === 'committed' ? `${ALL_COMMITTED} At any time:` : 'Everything is up to date. Next:',
  );
}

const ALL_COMMITTED = 'Everything is up to date and committed: nothing is left to do.';

const driftPurpose = (hasMore: boolean): string =>
  `compare the running clusters with it${hasMore ? '; each needs its --context' : ''}`;

const next = (all: readonly Step[], paint: Paint, title = 'Next:'): readonly string[] => [title, ...steps(all, paint)];

const steps = (all: readonly Step[], { columns }: Paint): readonly string[] =>
  alignRows(
    all.map(([command, purpose]) => [`  ${command}`, `# ${purpose}`]),
    columns,
  );
