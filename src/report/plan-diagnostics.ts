import type { Code } from '../diagnostics/codes.ts';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import type { AddressedModel } from '../ipam/addressed-model.ts';
import type { Change } from '../plan/change.ts';
import { pairOf } from '../plan/network-state.ts';
import type { Plan } from '../plan/plan-changes.ts';
import type { Removal } from '../plan/removal-guard.ts';
import type { Span } from '../source/source.ts';
import { someOf } from './count-of.ts';
import { describeChange } from './plan-words.ts';

/** Changes told in one message; GitHub shows ten annotations of a step, so alike ones of one place go together. */
const TOLD = 3;

/** The changes that break live flows as warnings at the places of the topology that ask for them. */
export function planDiagnostics({ changes }: Plan, model: AddressedModel): readonly Diagnostic[] {
  const places = placesIn(model);
  const groups = new Map<string, { readonly code: Code; readonly at: Span; readonly changes: Change[] }>();
  for (const it of changes) {
    if (!it.disruptive) continue;
    const [code, at] = [codeOf(it), places(it)];
    const key = `${code} ${at.start} ${it.why}`;
    const group = groups.get(key) ?? { code, at, changes: [] };
    groups.set(key, group);
    group.changes.push(it);
  }
  return [...groups.values()]
    .sort((a, b) => a.at.start - b.at.start)
    .map(({ code, at, changes: alike }) => {
      const message = someOf(alike.map(describeChange), TOLD);
      const steps = [...new Set(alike.flatMap((it) => it.steps.map((step) => step.what)))];
      const hint = steps.length === 0 ? undefined : steps.join('; ');
      return diagnostic(code, at, `${message}: ${alike[0]?.why ?? ''}`, { hint });
    });
}

/** The guard against a plan that takes away more than anybody means to. */
export function removalDiagnostics(removals: readonly Removal[], at: Span): readonly Diagnostic[] {
  return removals.map(({ what, names, of }) =>
    diagnostic('plan/removes-too-much', at, `${names.length} of ${of} ${what} would go: ${someOf(names, 10)}`, {
      hint: 'when this is meant, say --allow-destroy, or raise --max-removed',
    }),
  );
}

function codeOf({ kind }: Change): Code {
  switch (kind) {
    case 'cluster-removed':
    case 'cluster-renamed':
    case 'cluster-retired':
      return 'plan/cluster-leaves';
    case 'link-removed':
      return 'plan/link-removed';
    case 'role-changed':
    case 'port-changed':
    case 'address-changed':
    case 'service-changed':
    case 'mtu-changed':
    case 'template-changed':
    case 'template-edited':
    case 'key-changed':
    case 'key-removed':
      return 'plan/gateway-changes';
    case 'view-moved':
    case 'announced-changed':
    case 'own-cidr-changed':
      return 'plan/view-moves';
    default:
      return 'plan/breaks-flows';
  }
}

/** Where a change is asked for: the link, else the first cluster that is still there, else the fleet. */
function placesIn(model: AddressedModel): (it: Change) => Span {
  const links = new Map(model.links.map((it) => [pairOf(it.server, it.client), it.at]));
  return (it) => {
    const [first = '', second] = 'ends' in it ? it.ends : [it.clusters[0]];
    const link = second === undefined ? undefined : links.get(pairOf(first, second));
    const own = 'cluster' in it && it.cluster !== null ? [it.cluster] : [];
    const known = [...own, ...it.clusters].flatMap((name) => model.clusters.get(name)?.at ?? []);
    return link ?? known[0] ?? model.fleet.at;
  };
}
