import { countOf, quoted } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { samePrefix } from '../../base/net/prefix.ts';
import type { OffloadedNamespace, SharedModel } from '../../fleet/sharing/shared-model.ts';
import type { ProviderPair } from './direct-connection.ts';
import { providerPairs } from './provider-pairs.ts';

/** Pairs that are counted; then the search ends. */
const MOST = 100;

/**
 * Pods of one namespace in two providers reach each other over a link of the two, where Liqo has a way for that. Through
 * the consumer they take two tunnels, and its gateways carry the traffic.
 */
export function* providersTalkDirectly(model: SharedModel): Iterable<Diagnostic> {
  for (const it of model.offloadings) if (!it.directConnections) yield* checkNamespace(model, it);
}

function* checkNamespace(model: SharedModel, offloaded: OffloadedNamespace): Iterable<Diagnostic> {
  const { at, cluster, namespace } = offloaded;
  const pairs: ProviderPair[] = [];
  for (const pair of providerPairs(offloaded)) {
    if (pair.from.name > pair.to.name) continue;
    const couldBe = couldBeDirect(model, pair);
    // One pair that cannot would leave a provider without endpoints, which another rule reports.
    if (!couldBe && !model.fleet.shortcutOperator) return;
    if (couldBe) pairs.push(pair);
    if (pairs.length === MOST) break;
  }
  const unlinked = pairs.filter(({ from, to }) => !from.peers.has(to.name));
  const isPartial = unlinked.length > 0 && unlinked.length < pairs.length;
  const [first] = pairs;
  if (first === undefined || isPartial) return;
  const names = `${quoted(first.from.name)} and ${quoted(first.to.name)}`;
  const left = pairs.length - 1;
  const others =
    left === 0 ? '' : `; ${countOf(left, 'more pair of providers does', 'more pairs of providers do')}, too`;
  const message = `pods of namespace ${quoted(namespace)} in ${names} reach each other through ${quoted(cluster.name)}, over two tunnels${others}`;
  yield diagnostic('sharing/through-the-consumer', at, message, {
    about: [[cluster.name]],
    hint: hintOf(model, unlinked),
  });
}

function hintOf({ fleet }: SharedModel, unlinked: readonly ProviderPair[]): string {
  const [first] = unlinked;
  const add =
    first &&
    `add ${unlinked.length === 1 ? 'a shortcut' : countOf(unlinked.length, 'shortcut')}, like [${first.from.name}, ${first.to.name}]`;
  if (fleet.shortcutOperator) return add ?? '';
  const annotate =
    'annotate the Services with `liqo.io/use-direct-connections: "true"` and set `directConnections: true`';
  return add === undefined ? annotate : `if they talk much, ${add}, then ${annotate}`;
}

/** Whether both ways exist, or would with a link: the one through the consumer, and one that the two could use instead. */
function couldBeDirect({ fleet }: SharedModel, { hub, from, to }: ProviderPair): boolean {
  const [one, other] = [hub.peers.get(from.name), hub.peers.get(to.name)];
  if (one === undefined || other === undefined) return false;
  if (fleet.shortcutOperator) return !from.peers.has(to.name) && !hub.traits.hasDirectConnections;
  const isRemapped = [one, other].some((it) => it.podViews.some((view) => !samePrefix(view.cidr, view.seenAs)));
  return [hub, from, to].every((it) => it.traits.hasDirectConnections) && !isRemapped;
}
