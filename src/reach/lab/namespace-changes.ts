import { printPrefix } from '../../base/net/text.ts';
import { TUNNEL_INTERFACE } from '../../base/releases/gateways.ts';
import { UNDERLAY } from './lab-names.ts';
import type { LabNamespace, LabPlan, Route } from './lab-plan.ts';
import { routeLine, ruleLine } from './print-scripts.ts';

/** The changes of a namespace between two states, apart from the tunnel. */
export interface NamespaceChange {
  readonly namespace: string;
  /** Lines for `ip -batch`. */
  readonly batch: readonly string[];
  /** Texts for `nft`, one transaction each. */
  readonly transactions: readonly string[];
}

/** The cluster of a namespace; the network outside is the only one without. */
export const clusterOfNamespace = (namespace: string): string => namespace.split('.')[0] ?? namespace;

/**
 * The changes of all namespaces. A part that only one of the plans has stays or becomes empty.
 *
 * @param replaced gateways whose tunnel starts or stops, which takes the routes through it along
 */
export function namespaceChanges(
  before: LabPlan,
  after: LabPlan,
  replaced: ReadonlySet<string>,
): readonly NamespaceChange[] {
  const names = new Set([...before.namespaces, ...after.namespaces].map((it) => it.name));
  return [...names].flatMap((namespace) => {
    const was = contentOf(before, namespace, replaced.has(namespace));
    const is = contentOf(after, namespace, replaced.has(namespace));
    const batch = [
      ...mtuLines(before, after, namespace),
      ...is.routes.filter((it) => !was.routes.some(isSame(it))).map((it) => routeLine(it, 'replace')),
      ...was.routes.filter((it) => !is.routes.some(isSamePlace(it))).map((it) => routeLine(it, 'del')),
      ...difference(was.rules, is.rules).map((it) => ruleLine(it.item, it.index, 'del')),
      ...difference(is.rules, was.rules).map((it) => ruleLine(it.item, it.index)),
    ];
    // The network outside is no part of Liqo, and loses no packet when something is added to it.
    const inTwo = rulesetTransactions(was, is);
    const transactions = namespace === UNDERLAY && inTwo.length > 0 ? [inTwo.join('')] : inTwo;
    return batch.length + transactions.length === 0 ? [] : [{ namespace, batch, transactions }];
  });
}

type Content = Pick<LabNamespace, 'routes' | 'rules' | 'rulesets'>;

function contentOf({ namespaces }: LabPlan, name: string, isReplaced: boolean): Content {
  const { routes, rules, rulesets } = namespaces.find((it) => it.name === name) ?? EMPTY;
  return { routes: isReplaced ? routes.filter((it) => it.device !== TUNNEL_INTERFACE) : routes, rules, rulesets };
}

const EMPTY: Content = { routes: [], rules: [], rulesets: [] };

const routeText = (it: Route): string => routeLine(it);

const isSame = (one: Route) => (it: Route) => routeText(it) === routeText(one);

/** True for a route to the same network in the same table, which the kernel replaces. */
const isSamePlace = (one: Route) => (it: Route) => it.table === one.table && printPrefix(it.to) === printPrefix(one.to);

/** Entries of a list that another list does not have at the same place. */
const difference = <T>(list: readonly T[], other: readonly T[]): readonly { item: T; index: number }[] =>
  list
    .map((item, index) => ({ item, index }))
    .filter(({ item, index }) => JSON.stringify(other[index]) !== JSON.stringify(item));

function mtuLines(before: LabPlan, after: LabPlan, namespace: string): readonly string[] {
  const was = mtusOf(before, namespace);
  return [...mtusOf(after, namespace)].flatMap(([device, mtu]) =>
    (was.get(device) ?? mtu) === mtu ? [] : [`link set ${device} mtu ${mtu}`],
  );
}

/** Device -> MTU in bytes. The cables to the network outside have the largest MTU of all states. */
const mtusOf = ({ cables }: LabPlan, namespace: string): ReadonlyMap<string, number> =>
  new Map(
    cables.flatMap(({ ends, mtuBytes }) =>
      ends.filter((it) => it.namespace === namespace).map((it) => [it.device, mtuBytes] as const),
    ),
  );

/**
 * Liqo deletes the rules of a table that changes, and adds those of the new content in a second transaction; other tables
 * stay as they are. Source: liqotech/liqo@v1.2.0 pkg/firewall.
 */
function rulesetTransactions(was: Content, is: Content): readonly string[] {
  const [before, after] = [tablesOf(was), tablesOf(is)];
  const gone = [...before].filter(([name, text]) => after.get(name) !== text).map(([name]) => name);
  const added = [...after].filter(([name, text]) => before.get(name) !== text).map(([, text]) => text);
  const flushed = gone.map((it) => `flush table ${it}\n`);
  const second = [...gone.flatMap((it) => (after.has(it) ? [] : [`delete table ${it}\n`])), ...added];
  return [flushed, second].filter((it) => it.length > 0).map((it) => it.join(''));
}

/** The text of each table by its family and name. */
const tablesOf = ({ rulesets }: Content): ReadonlyMap<string, string> =>
  new Map(
    rulesets.flatMap((it) =>
      [...it.text.matchAll(/^table (\S+ \S+) \{\n[\s\S]*?^\}\n/gm)].map(([text, name = '']) => [name, text] as const),
    ),
  );
