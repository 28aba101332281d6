import { byCodeUnit } from '../../../base/core/collections.ts';
import { andMore, countOf, firstOf, moreLine, shownOf, someOf } from '../../../base/core/words.ts';
import type { Code } from '../../../base/diagnostics/codes.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { bug } from '../../../base/diagnostics/outcome.ts';
import type { Span } from '../../../base/source/source.ts';
import type { AddressedModel } from '../../../fleet/ipam/addressed-model.ts';
import type { Change } from '../../../plan/change.ts';
import { kindOf } from '../../../plan/changes/change-kinds.ts';
import { pairOf } from '../../../plan/network-state.ts';
import type { Plan } from '../../../plan/plan-changes.ts';
import { deletedNamespaces, type Removal } from '../../../plan/removal-guard.ts';
import { MOST_SHOWN } from '../print-annotations.ts';
import { describeChange, describeReason, describeSteps, outliersFirst } from './describe-change.ts';

/** The number of changes in one message. GitHub shows ten annotations per step, so similar changes share one. */
const NAMED_CHANGES = 3;

/** The number of steps in one hint; a renamed cluster needs seven. */
const NAMED_STEPS = 2;

/**
 * The changes that break live flows, as warnings at the places of the topology that cause them. If there are more than a
 * step of GitHub shows, those with changes unlike the others come first.
 */
export function planDiagnostics({ changes }: Plan, model: AddressedModel): readonly Diagnostic[] {
  const places = placesIn(model);
  const groups = new Map<string, { readonly code: Code; readonly at: Span; readonly changes: Change[] }>();
  for (const it of outliersFirst(changes.filter((one) => one.disruptive))) {
    const code = it.isTrust
      ? 'plan/changes-trust'
      : (kindOf(it).code ?? bug(`${it.id} breaks live flows and has no code`));
    const at = places(it);
    const key = `${code} ${at.start} ${describeReason(it)}`;
    const group = groups.get(key) ?? { code, at, changes: [] };
    groups.set(key, group);
    group.changes.push(it);
  }
  const found = [...groups.values()];
  return (found.length > MOST_SHOWN ? found : found.sort((a, b) => a.at.start - b.at.start)).map(
    ({ code, at, changes: alike }) => {
      const named = first(alike, shownOf(alike.length, NAMED_CHANGES)).map((it) => describeChange(it));
      const message = named.join(', ') + andMore(alike.length - named.length);
      const steps = [...new Set(alike.flatMap((it) => describeSteps(it).map((step) => step.what)))];
      const hint = steps.length === 0 ? undefined : hintOf(steps);
      return diagnostic(code, at, `${message}: ${alike[0] === undefined ? '' : describeReason(alike[0])}`, { hint });
    },
  );
}

/** Hints for removals that are always reported, regardless of --max-removed. */
const HINTS: Readonly<Record<Exclude<Removal['what'], 'clusters' | 'links'>, string>> = {
  lock: 'restore it from git, or pass "--relock all" to "weft compile" if everything is to be decided again',
  keys: 'restore the keys file from git, or pass --allow-destroy if these tunnels are meant to go down',
  'moved-keys':
    'exchange them back: no gateway has the private half of the key of another one; pass --allow-destroy if this corrects such a mistake',
  authentication:
    'restore the keys file from git, or pass --allow-destroy if these clusters are to borrow nothing more',
  namespaces: 'copy what is in these volumes, which nothing brings back, and pass --allow-destroy if this is intended',
  'links-of-loans': 'keep the link or end the loan first; pass --allow-destroy if its Services may stop working',
};

const CODES: Readonly<Record<Removal['what'], Code>> = {
  lock: 'plan/loses-lock',
  clusters: 'plan/removes-too-much',
  links: 'plan/removes-too-much',
  keys: 'plan/loses-keys',
  'moved-keys': 'plan/loses-keys',
  authentication: 'plan/loses-keys',
  namespaces: 'plan/deletes-namespaces',
  'links-of-loans': 'plan/deletes-namespaces',
};

/** The keys file may be right, and the live objects exchanged. */
const LIVE_KEYS =
  'apply the bundles if the keys file is right, which --allow-destroy allows, otherwise exchange them in it';

/** The hint for a removal: what `--allow-destroy` would allow, and what to do before. */
export function hintOfRemoval({ what, lookalikes: [first] = [] }: Removal, isLive = false): string {
  if (isLive && what === 'moved-keys') return LIVE_KEYS;
  if (what !== 'clusters' && what !== 'links') return HINTS[what];
  const intended = 'pass --allow-destroy if this is intended, or raise --max-removed';
  return first === undefined
    ? intended
    : `add "renamedFrom: ${first.from}" to "${first.to}" if that is the same cluster; otherwise ${intended}`;
}

/** Reports a plan that removes more than the limit, keys of gateways that stay, or namespaces with volumes. */
export function removalDiagnostics(removals: readonly Removal[], at: Span, isLive = false): readonly Diagnostic[] {
  return removals.map((it) => diagnostic(CODES[it.what], at, describeRemoval(it), { hint: hintOfRemoval(it, isLive) }));
}

function hintOf(steps: readonly string[]): string {
  if (steps.length <= NAMED_STEPS + 1) return steps.join('; ');
  return `${steps.slice(0, NAMED_STEPS).join('; ')}; "weft plan" lists all ${steps.length} steps`;
}

/**
 * Returns a function that locates the cause of a change in the topology: the link, otherwise the first of its clusters
 * that still exists, otherwise the fleet.
 */
function placesIn(model: AddressedModel): (it: Change) => Span {
  const links = new Map(model.links.map((it) => [pairOf(it.server.cluster.name, it.client.cluster.name), it.at]));
  return ({ subject }) => {
    const link = subject.link === null ? undefined : links.get(pairOf(...subject.link));
    const [first, ...others] = subject.clusters;
    const inOrder = first === undefined ? [] : [first, ...others.toSorted(byCodeUnit)];
    const known = inOrder.flatMap((name) => model.clusters.get(name)?.at ?? []);
    return link ?? known[0] ?? model.fleet.at;
  };
}

/** The first changes of a list: if it is cut, those unlike the others. */
const first = (changes: readonly Change[], most: number): readonly Change[] =>
  changes.length > most ? outliersFirst(changes).slice(0, most) : changes;

/**
 * Alerts that must not be overlooked in a plan of any length: lost data, changed trust, and dropped assertions.
 *
 * @param most the number of items that are listed of each
 */
export function planAlerts({ changes }: Plan, most: number): readonly string[] {
  const deleted = deletedNamespaces(changes).map(({ name, provider }) => `${name} in ${provider}`);
  const words = (all: readonly Change[], label: string): readonly string[] => [
    ...first(all, shownOf(all.length, most)).map((it) => `${label}: ${describeChange(it)}`),
    ...moreLine(all.length - shownOf(all.length, most), ` below: ${label}`),
  ];
  return [
    ...(deleted.length === 0
      ? []
      : [
          `${countOf(deleted.length, 'namespace')} deleted with all volumes, and nothing brings them back: ${firstOf(deleted, most, '; ')}`,
        ]),
    ...words(
      changes.filter((it) => it.isTrust),
      'trust',
    ),
    ...words(
      changes.filter((it) => it.kind === 'assertion-changed' && it.disruptive),
      'assertions',
    ),
  ];
}

const MAX_NAMED = 10;

/** Words for a removal: `3 of 7 clusters would be removed: milan, paris, rome`. */
export function describeRemoval({ what, gone, of }: Removal): string {
  switch (what) {
    case 'lock':
      return `${named(gone, '')} is missing although there are bundles: addresses and ports would be decided again`;
    case 'keys':
      return `${gone.length} of ${of} gateways had a key and would have none: ${named(gone, ' towards ')}`;
    case 'moved-keys':
      return `${gone.length} of ${of} gateways would have the key that another gateway had: ${named(gone, ' towards ')}`;
    case 'authentication':
      return `${countOf(gone.length, 'cluster')} had an authentication key and would have none: ${named(gone, '')}`;
    case 'namespaces':
      return `${countOf(gone.length, 'namespace')} of providers would be deleted with all volumes: ${named(gone, ' in ')}`;
    case 'links-of-loans':
      return `${countOf(gone.length, 'loan')} would go on without a link: ${named(gone, ' from ')}`;
    default:
      return `${gone.length} of ${of} ${what} would be removed: ${named(gone, ' and ')}`;
  }
}

const named = (gone: Removal['gone'], between: string): string =>
  someOf(
    gone.map((it) => it.join(between)),
    MAX_NAMED,
  );
