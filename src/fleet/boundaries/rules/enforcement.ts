import { firstOf, listOf, quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { policiesOf } from '../../../base/releases/platforms.ts';
import { firstLineWith } from '../../../base/releases/traits.ts';
import type { AddressedCluster } from '../../ipam/addressed-model.ts';
import type { OffloadedNamespace } from '../../sharing/shared-model.ts';
import {
  type BoundaryRule,
  type BoundedModel,
  type BoundedNamespace,
  boundedNamespaces,
  openingsBetween,
  openingsInto,
} from '../bounded-model.ts';

/**
 * A closed link has a fence, which needs a release whose gateways can match ports and drop packets. Without one, only the
 * policies of namespaces limit what arrives.
 */
export const portsNeedAFence: BoundaryRule = function* ({ model, entries }) {
  const later = firstLineWith('hasFences');
  for (const cluster of model.clusters.values()) {
    if (cluster.traits.hasFences || openingsInto(model, cluster.name).size === 0) continue;
    const { name, at, release } = cluster;
    const message = `the gateways of ${quoted(name)} run Liqo ${release.version} and get no fence: only namespaces that entries of \`boundaries\` name are limited`;
    const hint = `run Liqo ${later} or later there, or set \`boundary: open\``;
    yield diagnostic('boundaries/no-fence', at, message, { about: [[name]], hint });
  }
  for (const { entry, openings } of entries) {
    const cluster = openings
      .filter((it) => it.ports.length > 0 && it.toNamespace === null)
      .map((it) => model.clusters.get(it.to))
      .find((it) => it?.traits.hasFences === false);
    if (cluster === undefined) continue;
    const message = `nothing limits ports into ${quoted(cluster.name)}: a gateway of Liqo ${cluster.release.version} stops working at a rule with a port`;
    const hint = `name a namespace with \`toNamespace\`, or run Liqo ${later} or later there`;
    yield diagnostic('boundaries/ports-without-fence', entry.portsAt, message, { about: [[cluster.name]], hint });
  }
};

/** The network plugins of clusters with policies enforce them. */
export const cnisEnforcePolicies: BoundaryRule = function* ({ model }) {
  for (const cluster of model.clusters.values()) {
    const namespaces = boundedNamespaces(model, cluster.name);
    const enforcement = policiesOf(cluster.platform?.value ?? null, cluster.cni?.value ?? null);
    if (namespaces.length === 0 || cluster.cni === null || enforcement === 'enforced') continue;
    const { value, at } = cluster.cni;
    const does =
      enforcement === 'ignored'
        ? 'does not enforce NetworkPolicies'
        : 'enforces NetworkPolicies only if that is turned on';
    yield diagnostic(
      'boundaries/policies-ignored',
      at,
      `${value} ${does}, and ${quoted(cluster.name)} has some in ${namesOf(namespaces)}`,
      {
        about: [[cluster.name]],
        hint:
          enforcement === 'ignored'
            ? 'install a controller for NetworkPolicies in the cluster, or rely on the fences of its gateways'
            : 'turn it on in the cluster, and accept this',
      },
    );
  }
};

/**
 * Cilium applies a network to no node of its own cluster, so a policy with networks also limits what nodes send and receive.
 * Source: cilium/cilium@v1.16.5 Documentation/security/policy/language.rst (CIDR-based, policyCIDRMatchMode).
 */
export const ciliumLimitsNodes: BoundaryRule = function* ({ model }) {
  for (const { name, cni } of model.clusters.values()) {
    const limited = boundedNamespaces(model, name);
    if (cni?.value !== 'cilium' || limited.length === 0) continue;
    const flows = [
      ...(limited.some((it) => it.limitsIngress) ? ['what its other nodes send there'] : []),
      ...(limited.some((it) => it.limitsEgress) ? ['what pods there send to nodes, such as the API server'] : []),
    ];
    const message = `the policies of ${quoted(name)} in ${namesOf(limited)} also limit ${listOf(flows)}, because Cilium applies networks to no node`;
    yield diagnostic('boundaries/nodes-not-matched', cni.at, message, {
      about: [[name]],
      hint: 'set `policyCIDRMatchMode: nodes` in Cilium, and accept this',
    });
  }
};

const namesOf = (namespaces: readonly BoundedNamespace[]): string =>
  firstOf(
    namespaces.map((it) => quoted(it.name)),
    3,
  );

/**
 * The pods of an offloaded namespace reach those of it in other clusters, or the topology limits what they may do. Packets from
 * one provider to another one pass the consumer, and arrive under its external address, unless the Services use direct
 * connections.
 */
export const loansKeepTheirFlows: BoundaryRule = function* ({ model }) {
  for (const offloaded of model.offloadings) {
    const { at, cluster, namespace, pods } = offloaded;
    const shut = pods === 'Local' ? [] : waysOfLoan(offloaded).filter((it) => isShut(it, model));
    const ofOthers = shut.filter((it) => it.masqueraded);
    const own = shut.filter((it) => !it.masqueraded);
    const found = own.length > 0 ? own : ofOthers;
    const cut = [...new Set(found.map((it) => it.provider))];
    const [first] = cut;
    if (first === undefined) continue;
    const entries = shut
      .filter((it) => it.provider === first)
      .map(({ from, to, name, masqueraded }) => {
        const entry = `from: ${from}, ${masqueraded ? 'masqueraded: true, ' : ''}to: ${to}, toNamespace: ${name}`;
        return `\`{ ${entry} }\``;
      });
    const whose = `the pods of namespace ${quoted(namespace)} of ${quoted(cluster.name)}`;
    const there = firstOf(cut.map(quoted), 3);
    const message =
      own.length > 0
        ? `closed links cut ${whose} off from those of it in ${there}`
        : `closed links cut ${whose} in one provider off from those in another one, ${there}: they arrive under the external address of ${quoted(cluster.name)}`;
    yield diagnostic('boundaries/loan-cut', at, message, {
      about: cut.map((it) => [cluster.name, it]),
      hint: `add ${[...new Set(entries)].join(' and ')} to \`boundaries\`, with the ports of its Services`,
    });
  }
};

/** A direction in which pods of an offloaded namespace connect to others of it. */
interface LoanWay {
  readonly from: string;
  readonly to: string;
  /** The namespace in the receiver. */
  readonly name: string;
  readonly provider: string;
  readonly masqueraded: boolean;
}

function waysOfLoan({ cluster, namespace, providers, remoteName, directConnections }: OffloadedNamespace) {
  const others = (it: string): readonly AddressedCluster[] => providers.filter(({ name }) => name !== it);
  return providers.flatMap(({ name: provider }): readonly LoanWay[] => {
    const there = { from: cluster.name, to: provider, name: remoteName, provider };
    return [
      { ...there, masqueraded: false },
      { ...there, from: provider, to: cluster.name, name: namespace, masqueraded: false },
      ...(directConnections
        ? others(provider).map((it) => ({ ...there, from: it.name, masqueraded: false }))
        : others(provider)
            .slice(0, 1)
            .map(() => ({ ...there, masqueraded: true }))),
    ];
  });
}

/** True for a closed direction in which no entry opens anything for the namespace. */
const isShut = ({ from, to, name, masqueraded }: LoanWay, model: BoundedModel): boolean =>
  openingsBetween(model, from, to)?.every(
    (it) => (it.toNamespace !== null && it.toNamespace !== name) || (masqueraded && !it.isMasqueraded),
  ) === true;
