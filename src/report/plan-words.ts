import type { Action, Change, DifferenceKind, FlowEffect, OrderEntry, PlanStep, Ports } from '../plan/change.ts';
import type { Plan } from '../plan/plan-changes.ts';
import { countOf, listOf, someOf } from './count-of.ts';

/** The parts of a plan in the order in which they are told. */
export const SECTIONS = [
  'Clusters',
  'Links',
  'Gateways',
  'Keys',
  'Views',
  'Addresses',
  'Order',
  'Settings',
  'Files',
] as const;
export type Section = (typeof SECTIONS)[number];

export function sectionOf({ kind }: Change): Section {
  switch (kind) {
    case 'cluster-added':
    case 'cluster-removed':
    case 'cluster-renamed':
    case 'cluster-retired':
    case 'cluster-returned':
    case 'release-changed':
      return 'Clusters';
    case 'link-added':
    case 'link-removed':
    case 'link-kind-changed':
      return 'Links';
    case 'role-changed':
    case 'port-changed':
    case 'address-changed':
    case 'service-changed':
    case 'mtu-changed':
    case 'template-changed':
    case 'template-edited':
      return 'Gateways';
    case 'key-added':
    case 'key-changed':
    case 'key-removed':
      return 'Keys';
    case 'view-moved':
    case 'announced-changed':
    case 'history-changed':
      return 'Views';
    case 'block-carved':
    case 'block-returned':
    case 'own-cidr-changed':
    case 'reservation-changed':
      return 'Addresses';
    case 'order-changed':
      return 'Order';
    case 'setting-changed':
    case 'gitops-changed':
      return 'Settings';
    case 'lock-changed':
    case 'files-changed':
      return 'Files';
  }
}

export const SIGNS: Readonly<Record<Action, string>> = { add: '+', change: '~', remove: '-' };

const LINKS = { hub: 'hub link', peering: 'peering', shortcut: 'shortcut' } as const;

/** A change as a network engineer says it. */
export function describeChange(it: Change): string {
  switch (it.kind) {
    case 'cluster-added':
      return `${it.cluster} is new`;
    case 'cluster-removed':
      return it.wasRetired ? `${it.cluster} was retired and leaves the fleet` : `${it.cluster} leaves the fleet`;
    case 'cluster-renamed':
      return `${it.from} is now called ${it.cluster} (same networks, same peers)`;
    case 'cluster-retired':
      return `${it.cluster} retires: its bundle becomes empty, its folder stays`;
    case 'cluster-returned':
      return `${it.cluster} is no longer retired`;
    case 'release-changed':
      return `${it.cluster} runs Liqo ${it.to} instead of ${it.from}`;
    case 'link-added': {
      const { link } = it;
      return `${link.ends.join(' and ')}: new ${LINKS[link.kind]}, ${link.client} dials ${link.server} at ${link.address}:${link.port}, MTU ${link.mtuBytes}`;
    }
    case 'link-removed':
      return `${it.link.ends.join(' and ')}: the ${LINKS[it.link.kind]} goes`;
    case 'link-kind-changed':
      return `${it.ends.join(' and ')}: a ${LINKS[it.to]} instead of a ${LINKS[it.from]}`;
    case 'role-changed':
      return `${it.ends.join(' and ')}: ${it.to} serves instead of ${it.from}, which dials ${it.link.address}:${it.link.port} now`;
    case 'port-changed':
      return `${it.ends.join(' and ')}: ${portWords(it.server, it.from, it.to)}`;
    case 'address-changed':
      return `${it.ends.join(' and ')}: ${it.client} dials ${it.to} instead of ${it.from}`;
    case 'service-changed':
      return `${it.ends.join(' and ')}: ${serviceWords(it)}`;
    case 'mtu-changed':
      return `${it.ends.join(' and ')}: MTU ${it.to} instead of ${it.from}`;
    case 'template-changed':
      return `${it.cluster} towards ${it.peer}: made from template ${it.to} instead of ${it.from}`;
    case 'template-edited':
      return {
        add: `${it.cluster} gets a gateway template of its own`,
        change: `the gateway template of ${it.cluster} changes`,
        remove: `${it.cluster} gives up its own gateway template`,
      }[it.action];
    case 'view-moved':
      return `${it.cluster} sees ${it.peer}'s ${cidrWords(it.cidr)} at ${it.to} instead of ${it.from}`;
    case 'announced-changed':
      return `${it.cluster} is told that ${it.peer} has the ${it.cidr} CIDR ${listOf(it.to.map((view) => view.cidr))} instead of ${listOf(it.from.map((view) => view.cidr))}`;
    case 'history-changed':
      return it.to
        ? `${it.cluster} keeps seeing ${it.peer}'s ${cidrWords(it.cidr)} at ${it.seenAs}, which a rebuild would not give again`
        : `${it.cluster} would see ${it.peer}'s ${cidrWords(it.cidr)} at ${it.seenAs} after a rebuild, too`;
    case 'block-carved':
      return `${it.cluster} gets ${it.cidr} as its ${it.block} CIDR`;
    case 'block-returned':
      return `${it.cluster} gives back ${it.cidr}, its ${it.block} CIDR`;
    case 'own-cidr-changed':
      return `${it.cluster} has the ${it.role} CIDR ${listOf(it.to)} instead of ${listOf(it.from)}`;
    case 'reservation-changed':
      return `${it.cluster} ${listOf([...(it.added.length > 0 ? [`reserves ${listOf(it.added)}`] : []), ...(it.removed.length > 0 ? [`no longer reserves ${listOf(it.removed)}`] : []), ...(it.added.length + it.removed.length === 0 ? ['lists its reservations in another order'] : [])])}`;
    case 'key-added':
      return `${it.cluster} towards ${it.peer}: its public key is known now`;
    case 'key-changed':
      return `${it.cluster} towards ${it.peer}: another public key`;
    case 'key-removed':
      return `${it.cluster} towards ${it.peer}: its public key is no longer known`;
    case 'order-changed':
      return `${it.cluster} ${orderWords(it.to)}`;
    case 'setting-changed':
      return `${it.cluster ?? 'the fleet'}: ${it.setting} is ${it.to} instead of ${it.from}`;
    case 'gitops-changed':
      return {
        add: `new entry points for ${it.tool}`,
        change: `the entry points for ${it.tool} change`,
        remove: `the entry points for ${it.tool} go`,
      }[it.action];
    case 'lock-changed':
      return `only the lock: ${countOf(it.added, 'line')} more, ${countOf(it.removed, 'line')} less`;
    case 'files-changed':
      return `${it.cluster === null ? '' : `${it.cluster}: `}${someOf(
        it.paths.map((path) => (it.cluster === null ? path : path.slice(it.cluster.length + 1))),
        3,
      )}`;
  }
}

const cidrWords = (cidr: 'pod' | 'external'): string => (cidr === 'pod' ? 'pods' : 'external CIDR');

function portWords(server: string, from: Ports, to: Ports): string {
  if (from.dialled !== to.dialled) return `${server} is dialled at port ${to.dialled} instead of ${from.dialled}`;
  const inner = (it: Ports): string => (it.node === null ? it.service : `${it.service}, node port ${it.node}`);
  return `${server} listens on ${inner(to)} instead of ${inner(from)}`;
}

function serviceWords({ server, from, to }: Extract<Change, { kind: 'service-changed' }>): string {
  if (from.type !== to.type) return `${server} serves through a ${to.type} Service instead of a ${from.type} one`;
  if (from.loadBalancerIP !== to.loadBalancerIP) {
    return `the load balancer of ${server} has ${to.loadBalancerIP ?? 'any address'} instead of ${from.loadBalancerIP ?? 'any address'}`;
  }
  return `the Service of ${server} has other annotations`;
}

/** Peers named in an order; a hub can have thousands. */
const NAMED_PEERS = 6;

function orderWords(entries: readonly OrderEntry[]): string {
  const ordered = entries.filter((it) => it.turn !== null).map((it) => it.peer);
  if (ordered.length === 0) return 'makes its links in any order';
  if (ordered.length === 1) return `makes its link to ${ordered[0] ?? ''} last`;
  return `makes these links one after the other: ${someOf(ordered, NAMED_PEERS)}`;
}

export const EFFECT_WORDS: Readonly<Record<FlowEffect, string>> = {
  stops: 'stops',
  interrupted: 'is interrupted',
  readdressed: 'gets other addresses',
  rerouted: 'goes another way',
  opens: 'becomes possible',
};

/** `Plan: 3 to add, 1 to change, 0 to remove; 2 changes break live flows.` */
export function planLine({ changes }: Plan): string {
  if (changes.length === 0) return 'Plan: nothing to do.';
  const { add, change, remove, disruptive: breaking } = countChanges(changes);
  const verdict =
    breaking === 0
      ? 'no live flow breaks'
      : `${countOf(breaking, 'change')} ${breaking === 1 ? 'breaks' : 'break'} live flows`;
  return `Plan: ${add} to add, ${change} to change, ${remove} to remove; ${verdict}.`;
}

export interface ChangeCounts extends Readonly<Record<Action, number>> {
  readonly disruptive: number;
}

/** What follows from something else by itself; nobody asked for it. */
const CONSEQUENCES: readonly DifferenceKind[] = ['order-changed', 'history-changed', 'block-carved', 'block-returned'];

/** Consequences do not count, unless there is nothing else. */
export function countChanges(changes: readonly Change[]): ChangeCounts {
  const asked = changes.filter((it) => !CONSEQUENCES.includes(it.kind));
  const counted = asked.length === 0 ? changes : asked;
  const count = (action: Action): number => counted.filter((it) => it.action === action).length;
  const disruptive = changes.filter((it) => it.disruptive).length;
  return { add: count('add'), change: count('change'), remove: count('remove'), disruptive };
}

export interface StepGroup {
  readonly when: PlanStep['when'];
  readonly what: string;
  readonly on: readonly string[];
}

const WHENS: readonly PlanStep['when'][] = ['before', 'together', 'after'];

/** What to do, in order; alike steps together. Links that come and go at one cluster are told apart in time. */
export function stepsOf({ changes }: Plan): readonly StepGroup[] {
  const groups = new Map<
    string,
    { readonly when: PlanStep['when']; readonly what: string; readonly on: Set<string> }
  >();
  for (const { when, what, on } of [...makeBeforeBreak(changes), ...changes.flatMap((it) => it.steps)]) {
    const key = `${when} ${what}`;
    const group = groups.get(key) ?? { when, what, on: new Set<string>() };
    groups.set(key, group);
    group.on.add(on);
  }
  return [...groups.values()]
    .map((it) => ({ ...it, on: [...it.on] }))
    .sort((a, b) => WHENS.indexOf(a.when) - WHENS.indexOf(b.when));
}

function makeBeforeBreak(changes: readonly Change[]): readonly PlanStep[] {
  const added = changes.flatMap((it) => (it.kind === 'link-added' ? [it.link] : []));
  const removed = changes.flatMap((it) => (it.kind === 'link-removed' ? [it.link] : []));
  const losers = new Set(removed.flatMap((it) => it.ends));
  const instead = added.filter((it) => it.ends.some((end) => losers.has(end)));
  return instead.map((it) => ({
    when: 'before',
    what: 'make before break: add the new links in a change of their own, and remove the old ones when these are connected',
    on: it.ends.join(' and '),
  }));
}

export const WHEN_WORDS: Readonly<Record<PlanStep['when'], string>> = {
  before: 'before merging',
  together: 'while it is applied',
  after: 'afterwards',
};

export interface ChangeGroup {
  readonly disruptive: boolean;
  readonly why: string;
  readonly changes: readonly Change[];
}

/** The changes of a section, alike ones together, those that break something first. */
export function changeGroups(changes: readonly Change[], section: Section): readonly ChangeGroup[] {
  const groups = new Map<string, Change[]>();
  for (const it of changes) {
    // What the lock keeps is told in a list of its own.
    if (sectionOf(it) !== section || (it.kind === 'history-changed' && it.to)) continue;
    const key = `${it.kind} ${it.action} ${it.why}`;
    const group = groups.get(key);
    if (group) group.push(it);
    else groups.set(key, [it]);
  }
  const found = [...groups.values()].map((list) => ({
    disruptive: list.some((it) => it.disruptive),
    why: list[0]?.why ?? '',
    changes: list,
  }));
  return [...found.filter((it) => it.disruptive), ...found.filter((it) => !it.disruptive)];
}
