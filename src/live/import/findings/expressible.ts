import { groupBy } from '../../../base/core/collections.ts';
import { countOf } from '../../../base/core/words.ts';
import { isIPv6 } from '../../../base/net/text.ts';
import type { ObservedCluster, OwnRole } from '../../facts/cluster.ts';
import { isUsableAs, ownCidrs } from '../../facts/networks.ts';
import { gatewayKind, type ObservedGateway } from '../../facts/peer.ts';
import { limitProblems } from '../../problems/limit-problems.ts';
import { cidrText, dumpText, endsOf, type FindingRule, type ImportFinding, objectText } from '../finding.ts';
import { otherConnections } from '../infer-installation.ts';

/** The live state can be expressed in a topology. */
export const topologyCanSayIt: FindingRule = function* (live) {
  for (const observed of live.clusters.values()) {
    yield* unusableNetworks(observed);
    yield* connections(observed);
  }
  for (const { cluster, gateway } of endsOf(live)) if (gateway !== null) yield* settings(cluster, gateway);
};

function* unusableNetworks({ cluster, own }: ObservedCluster): Iterable<ImportFinding> {
  const unusable = Object.entries(own).flatMap(([role, networks]) =>
    networks.filter((it) => !isUsableAs(role as OwnRole, it.asked)),
  );
  for (const { name, asked } of unusable) {
    const why = isIPv6(asked) ? 'IPv6, which Liqo does not connect' : 'no network that Liqo can use';
    const has = asked === '' ? 'has no CIDR in its spec' : `is ${cidrText([asked])}: ${why}`;
    yield notExpressible(cluster, `Network "${dumpText(name)}" of "${cluster}" ${has}`);
  }
  const [pod, ...others] = own.pod;
  // If the chart's `podCIDRs` is a list, the Network of a single CIDR has another name.
  if (pod === undefined || others.length > 0 || pod.name === 'pod-cidr') return;
  yield notExpressible(
    cluster,
    `the Network of the pod CIDR of "${cluster}" is called "${dumpText(pod.name)}", and weft expects "pod-cidr"`,
  );
}

function* connections(observed: ObservedCluster): Iterable<ImportFinding> {
  for (const it of otherConnections(observed)) {
    yield {
      code: 'import/shortcut-connection',
      cluster: observed.cluster,
      message: `${objectText('ForeignClusterConnection', it)} of "${observed.cluster}" connects "${dumpText(it.client)}" and "${dumpText(it.server)}" under a name that weft does not give`,
      hint: 'keep it: when it is deleted, the operator disconnects the two; the topology has the shortcut without `shortcutOperator`',
    };
  }
}

function* settings(cluster: string, gateway: ObservedGateway): Iterable<ImportFinding> {
  const of = `${objectText(gatewayKind(gateway.role), gateway)} of "${cluster}"`;
  const { service } = gateway;
  if (gateway.template === null)
    yield notExpressible(cluster, `${of} has no template of Liqo's own kinds, and the topology has that of the chart`);
  if (service !== null && Object.keys(service.labels).length > 0)
    yield notExpressible(cluster, `${of} has labels for its Service, which applying the bundle removes`);
  if (service !== null && !['NodePort', 'LoadBalancer', 'ClusterIP'].includes(service.type))
    yield notExpressible(cluster, `${of} has a Service of type ${dumpText(service.type)}`);
  if ((gateway.dials?.addresses.length ?? 0) > 1)
    yield notExpressible(cluster, `${of} lists ${gateway.dials?.addresses.length} addresses, and Liqo dials the first`);
}

const notExpressible = (cluster: string, message: string): ImportFinding => ({
  code: 'import/not-expressible',
  cluster,
  message,
  hint: 'read what would change below, and decide before the bundle is applied',
});

/** No object is applied by another tool, because two tools would then change it. */
export const othersKeepNoObject: FindingRule = function* ({ clusters }) {
  for (const { cluster, kept } of clusters.values()) {
    for (const objects of groupBy(kept, (it) => [`${it.tool} ${it.group ?? ''}`]).values()) {
      const [first] = objects;
      if (first === undefined) continue;
      const group = first.group === null ? '' : ` "${dumpText(first.group)}"`;
      const which = `${countOf(objects.length, 'object')} of "${cluster}", for instance ${objectText(first.kind, first)}`;
      yield {
        cluster,
        ...(isGitOps(first.tool) ? ofGitOps(first.tool, group, which) : ofOther(first.tool, group, which)),
      };
    }
  }
};

/** Objects that neither Liqo nor weft made leave open what crosses links. */
export const othersLimitNothing: FindingRule = function* ({ clusters }) {
  const fleet = new Map(
    [...clusters].map(([name, it]) => [name, { pod: ownCidrs(it, 'pod'), external: ownCidrs(it, 'external') }]),
  );
  for (const it of clusters.values())
    for (const { code, message, hint } of limitProblems(it, () => fleet))
      yield { code, cluster: it.cluster, message, hint };
};

const isGitOps = (tool: string): boolean => tool === 'Argo CD' || tool === 'Flux';

type Texts = Omit<ImportFinding, 'cluster'>;

const ofGitOps = (tool: string, group: string, which: string): Texts => ({
  code: 'import/kept-by-gitops',
  message: `${tool}${group} applies ${which}`,
  hint: `turn pruning of ${tool}${group} off before these objects leave it, so that they are not deleted when the bundle takes them over`,
});

const ofOther = (tool: string, group: string, which: string): Texts => ({
  code: 'import/kept-by-another-tool',
  message: `${dumpText(tool)}${group} keeps ${which}`,
  hint: 'take these objects out of it before the bundle is applied: two tools would change them in turn',
});
