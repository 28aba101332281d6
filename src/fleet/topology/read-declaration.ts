import { valueAt } from '../../base/core/collections.ts';
import { once } from '../../base/core/once.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { OverlapIndex } from '../../base/net/overlap-index.ts';
import { contains, type Prefix } from '../../base/net/prefix.ts';
import { isPlatform, platformFacts } from '../../base/releases/platforms.ts';
import type {
  BoundaryEntry,
  ClusterSpec,
  Topology,
  Assertion as WrittenAssertion,
} from '../../base/schema-types/topology.ts';
import type { Reading } from '../../base/source/reading.ts';
import type { Located } from '../../base/source/source.ts';
import { readAcceptances } from './acceptances.ts';
import type {
  ArgoSettings,
  AssertedFlow,
  Assertion,
  BoundaryDeclaration,
  ClusterDeclaration,
  Declaration,
  FailedPart,
  FluxSettings,
  GitOps,
  KeyStore,
  ServiceAssertion,
  ServiceType,
} from './declaration.ts';
import { expandLinks, servicesOfLinks } from './expand-links.ts';
import { DEFAULT_KEY_SECRET } from './formats/dns-names.ts';
import type { TopologyDocument } from './parse-topology.ts';
import { readOwnCidr, readPool, readPools } from './read-cidr.ts';
import { readCluster } from './read-cluster.ts';
import { checkGatewaySettings, GATEWAY_DEFAULTS, readPortRange } from './read-gateway.ts';
import { readOffloading, readSharing } from './read-sharing.ts';
import { type Report, reportAbout } from './report.ts';
import { linkableClusters, readSelector } from './selector.ts';

/** The prefix length of an `auto` block in bits: 4096 addresses are enough for a busy cluster. */
const DEFAULT_CARVE_LENGTH = 20;

/** Reads all texts of a checked document. Unreadable ones are reported and left out. */
export function readDeclaration({ source, reading: topology }: TopologyDocument): {
  readonly declaration: Declaration;
  readonly found: readonly Diagnostic[];
} {
  const found: Diagnostic[] = [];
  const report: Report = (it) => found.push(it);
  const written = topology.at('clusters').entries();
  const merged = written.map(({ name, value }) => ({ name, cluster: value.over(topology.at('defaults')) }));
  const hubs = topology.at('hub').texts() ?? [];
  const { peerings, shortcuts } = expandLinks(
    {
      peerings: topology.at('peerings').items(),
      shortcuts: topology.at('shortcuts').items(),
      clusters: once(() => linkableClusters(merged, hubs)),
    },
    report,
  );
  const ofLinks = servicesOfLinks([...peerings, ...shortcuts]);
  const clusters = merged
    .map(({ name, cluster }) => {
      const services = { otherwise: defaultService(cluster), ofLinks: ofLinks.get(name.value) ?? new Set() };
      const reportCluster = reportAbout(name.value, report);
      checkGatewaySettings(name.value, cluster.at('gateway'), services, reportCluster);
      return readCluster({ name, cluster, topology }, reportCluster);
    })
    .filter((it) => it !== undefined);
  const declaration: Declaration = {
    source,
    name: topology.at('name').orDefault(''),
    renamedFrom: topology.at('renamedFrom').scalar()?.value,
    shortcutOperator: topology.at('liqo').at('shortcutOperator').orDefault(false),
    emitConnections: topology.at('liqo').at('emitConnections').orDefault(false).value,
    conformance: topology.at('conformance').orDefault(false).value,
    keySource: topology.at('keys').at('secrets').orDefault('provided').value,
    keyStore: readKeyStore(topology.at('keys')),
    keySecretName: topology.at('keys').at('secretName').orDefault(DEFAULT_KEY_SECRET),
    carve: readCarve(topology, clusters, report),
    gitops: readGitOps(topology.at('gitops'), topology.at('name').orDefault('').value),
    hubs,
    peerings,
    shortcuts,
    order: topology.at('order').texts() ?? [],
    sharing: topology.at('sharing').items().map(readSharing),
    offloading: topology.at('offloading').items().map(readOffloading),
    boundaries: topology
      .at('boundaries')
      .items()
      .flatMap((it) => readBoundary(it, report) ?? []),
    ...readAssertions(topology),
    acceptances: readAcceptances(topology),
    names: written.map((it) => it.name),
    clusters,
  };
  return { declaration, found };
}

/** The default key of a pair in the store. */
const USUAL_KEY = 'liqo/{cluster}/{peer}';

function readKeyStore(keys: Reading<NonNullable<Topology['keys']>>): KeyStore | null {
  if (keys.at('secrets').scalar()?.value !== 'external') return null;
  return {
    store: keys.at('store').orDefault('').value,
    storeKind: keys.at('storeKind').orDefault('ClusterSecretStore').value,
    key: keys.at('key').orDefault(USUAL_KEY).value,
  };
}

/** The type of a gateway's Service when the cluster sets none. */
function defaultService(cluster: Reading<ClusterSpec>): ServiceType {
  const platform: string = cluster.at('platform').scalar()?.value ?? '';
  return isPlatform(platform) ? platformFacts(platform).service : GATEWAY_DEFAULTS.service;
}

/** The default networks for carving blocks: those that are in the pools of every cluster. */
function commonPools(
  clusters: readonly ClusterDeclaration[],
  topology: Reading<Topology>,
  report: Report,
): readonly Located<Prefix>[] {
  const [first, ...others] = clusters;
  let common =
    first?.pools ??
    readPools({ pools: topology.at('ipam').at('pools'), otherwiseAt: topology.span, what: 'pool' }, report);
  for (const { pools } of others) common = commonNetworks(common, pools);
  return common;
}

function readCarve(
  topology: Reading<Topology>,
  clusters: readonly ClusterDeclaration[],
  report: Report,
): Declaration['carve'] {
  const carve = topology.at('ipam').at('carve');
  const text = carve.at('from').scalar();
  const from = text && readPool(text, '`ipam.carve.from`', report);
  return {
    from: from ? [from] : commonPools(clusters, topology, report),
    length: carve.at('prefix').orDefault(DEFAULT_CARVE_LENGTH),
  };
}

type Networks = readonly Located<Prefix>[];

/**
 * The networks that are in both lists, in the order of the first; of two equal ones the second. The result is never
 * longer than both lists together, even if a list has duplicates, which are refused later.
 */
export function commonNetworks(some: Networks, others: Networks): Networks {
  const [indexOfSome, indexOfOthers] = [indexOf(some), indexOf(others)];
  const inside = new Map<Located<Prefix>, Located<Prefix>[]>();
  for (const it of others) {
    const around = indexOfSome.first(it.value);
    if (!around || !contains(around.value, it.value)) continue;
    const found = inside.get(around);
    if (found) found.push(it);
    else inside.set(around, [it]);
  }
  return some.flatMap((it) => {
    if (indexOfSome.first(it.value) !== it) return [];
    const around = indexOfOthers.first(it.value);
    return inside.get(it) ?? (around && contains(around.value, it.value) ? [it] : []);
  });
}

function indexOf(networks: Networks): OverlapIndex<Located<Prefix>> {
  const index = new OverlapIndex<Located<Prefix>>();
  for (const it of networks) index.add(it.value, it);
  return index;
}

export type GitOpsSpec = NonNullable<Topology['gitops']>;

/** The settings of entry points; `null` without a repository, since none are written then. */
function readGitOps(gitops: Reading<GitOpsSpec>, fleet: string): GitOps | null {
  const repository = gitops.at('repository').scalar()?.value;
  if (repository === undefined) return null;
  const [argo, flux] = [gitops.at('argo'), gitops.at('flux')];
  // With one tool named, only its entry points are written; with none named, those of both.
  const neither = !argo.isPresent && !flux.isPresent;
  return {
    repository,
    revision: gitops.at('revision').orDefault('main').value,
    path: canonicalPath(gitops.at('path').orDefault('out').value),
    argo: argo.isPresent || neither ? readArgo(argo, fleet) : null,
    flux: flux.isPresent || neither ? readFlux(flux, fleet) : null,
  };
}

/** Without what means nothing in a path: `./out/` is `out`, and the root of the repository is empty. */
const canonicalPath = (path: string): string =>
  path
    .split('/')
    .filter((it) => it !== '' && it !== '.')
    .join('/');

/** Two fleets in one Argo CD or Flux have objects of their own unless the topologies give them one name. */
const defaultName = (fleet: string): string => `weft-${fleet}`;

const readArgo = (argo: Reading<NonNullable<GitOpsSpec['argo']>>, fleet: string): ArgoSettings => ({
  namespace: argo.at('namespace').orDefault('argocd').value,
  project: argo.at('project').orDefault(defaultName(fleet)).value,
});

function readFlux(flux: Reading<NonNullable<GitOpsSpec['flux']>>, fleet: string): FluxSettings {
  const version = flux.at('version').orDefault('2.7');
  return {
    namespace: flux.at('namespace').orDefault('flux-system').value,
    evaluatesReadyExpr: minorOf(version.value) >= 7,
    versionAt: version.at,
    source: flux.at('source').orDefault(defaultName(fleet)).value,
    dependsOn: (flux.at('dependsOn').texts() ?? []).map((it) => it.value),
  };
}

/** The schema accepts releases of Flux 2 only. */
const minorOf = (version: string): number => Number(version.split('.')[1]);

/** An entry of `boundaries`; `undefined` when it has an unreadable part, which is reported. */
function readBoundary(entry: Reading<BoundaryEntry>, report: Report): BoundaryDeclaration | undefined {
  const cidr = (key: 'fromCIDR' | 'toCIDR') => {
    const text = entry.at(key).scalar();
    return text && { text, read: readOwnCidr(text, `\`${key}\` of a boundary`, report) };
  };
  const [fromCIDR, toCIDR] = [cidr('fromCIDR'), cidr('toCIDR')];
  const ports = (entry.at('ports').texts() ?? []).map((it) => readPortRange(it, '`ports` of a boundary', report));
  const isUnread = [fromCIDR, toCIDR].some((it) => it && !it.read) || ports.some((it) => it.isUnread);
  if (isUnread) return undefined;
  return {
    at: entry.span,
    from: readSelector(entry.at('from')),
    fromNamespace: entry.at('fromNamespace').scalar() ?? null,
    fromCIDR: fromCIDR?.read ?? null,
    masqueraded: entry.at('masqueraded').orDefault(false),
    to: readSelector(entry.at('to')),
    toNamespace: entry.at('toNamespace').scalar() ?? null,
    toPods: entry.at('toPods').isPresent ? entry.at('toPods').textMap() : null,
    toCIDR: toCIDR?.read ?? null,
    protocol: entry.at('protocol').scalar()?.value ?? (ports.length > 0 ? 'TCP' : null),
    ports: ports.map(({ first, last }) => ({ first, last })),
    portsAt: entry.at('ports').span,
  };
}

/** The entries of `assertions`, each kind in source order. */
function readAssertions(topology: Reading<Topology>): Pick<Declaration, 'assertions' | 'serviceAssertions'> {
  const written = topology.at('assertions').items();
  return {
    assertions: written.filter((it) => !isAboutService(it)).map(readAssertion),
    serviceAssertions: written.filter(isAboutService).flatMap(readServiceAssertion),
  };
}

/** A label's value has no slash in it, so `service: demo/web` is no label. */
export const isAboutService = (written: Reading<WrittenAssertion>): boolean =>
  written.at('to').textMap()['service']?.includes('/') === true;

function readAssertion(written: Reading<WrittenAssertion>): Assertion {
  return { ...requirementOf(written), to: readSelector(written.at('to')) };
}

/** Nothing for a name that is no Service's, which is reported by itself. */
function readServiceAssertion(written: Reading<WrittenAssertion>): readonly ServiceAssertion[] {
  const to = written.at('to');
  const texts = new Map([...to.scalars()].map(({ name, value }) => [name.value, value]));
  const name = readServiceName(texts.get('service')?.value ?? '');
  if (name === undefined) return [];
  return [{ ...requirementOf(written), to: { ...name, of: texts.get('of') ?? null, at: to.span } }];
}

const requirementOf = (written: Reading<WrittenAssertion>): Omit<Assertion, 'to'> => ({
  at: written.span,
  from: readSelector(written.at('from')),
  expect: written.at('expect').orDefault('reachable').value,
  via: written.at('via').scalar()?.value ?? null,
  by: isByWithoutEffect(written) ? null : (written.at('by').scalar()?.value ?? null),
  ...readFlow(written),
  without: readWithout(written),
});

/** The keys of an assertion about the connections that it is about. */
export const FLOW_KEYS = ['fromNamespace', 'toNamespace', 'protocol', 'port'] as const;

/** Services are decided by their endpoints, and failures by the paths of clusters. */
export const isFlowWithoutEffect = (written: Reading<WrittenAssertion>): boolean =>
  FLOW_KEYS.some((it) => written.at(it).isPresent) && (isAboutService(written) || written.at('without').isPresent);

function readFlow(written: Reading<WrittenAssertion>): { readonly flow?: AssertedFlow } {
  if (isFlowWithoutEffect(written) || !FLOW_KEYS.some((it) => written.at(it).isPresent)) return {};
  const port = written.at('port').scalar()?.value ?? null;
  const flow = {
    fromNamespace: written.at('fromNamespace').scalar()?.value ?? null,
    toNamespace: written.at('toNamespace').scalar()?.value ?? null,
    protocol: written.at('protocol').scalar()?.value ?? (port === null ? null : 'TCP'),
    port,
  };
  return { flow };
}

const ANY_PART = { 'any-link': 'link', 'any-gateway': 'gateway', 'any-cluster': 'cluster' } as const;

/** The part that may fail. With `unreachable`, any part means nothing, which is reported by itself. */
function readWithout(written: Reading<WrittenAssertion>): FailedPart | null {
  const text = written.at('without').scalar();
  if (text === undefined || isWithoutEffect(written)) return null;
  return { any: valueAt(ANY_PART, text.value) ?? null, text };
}

/** A failure opens no path, so what is unreachable stays so whatever fails. */
export function isWithoutEffect(written: Reading<WrittenAssertion>): boolean {
  const text = written.at('without').scalar()?.value;
  return text !== undefined && Object.hasOwn(ANY_PART, text) && written.at('expect').scalar()?.value === 'unreachable';
}

/** A fence is asked for between clusters that must not reach each other; Services are decided by their endpoints. */
export const isByWithoutEffect = (written: Reading<WrittenAssertion>): boolean =>
  written.at('by').isPresent && (written.at('expect').scalar()?.value !== 'unreachable' || isAboutService(written));

/** `demo/web` as a namespace and a Service; `undefined` for a text of another form. */
export function readServiceName(text: string): { readonly namespace: string; readonly service: string } | undefined {
  const [, namespace, service] =
    /^([a-z0-9](?:[-a-z0-9]*[a-z0-9])?)\/([a-z0-9](?:[-a-z0-9]*[a-z0-9])?)$/.exec(text) ?? [];
  if (namespace === undefined || service === undefined) return undefined;
  return namespace.length > 63 || service.length > 63 ? undefined : { namespace, service };
}
