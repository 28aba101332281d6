import { by, groupBy, largest } from '../../../base/core/collections.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { startOf } from '../../../base/source/source.ts';
import { type ExpectedLink, spread } from '../expected/expect-links.ts';
import { type FoundText, type KubeObject, type ScalarType, textAt } from '../kube-object.ts';
import { objectsIn } from '../read-bundle.ts';
import type { RebuiltCluster, RebuiltNetwork } from '../rebuild-network.ts';
import { type CheckContext, compareParts, compareText, forEachCluster } from './bundle-check.ts';

const KIND = 'ForeignClusterConnection';
const API = 'networking.liqo.io/v1beta1';

/** A hub's ForeignClusterConnections belong to its shortcuts, use the same gateways, and contain the existing views. */
export const shortcutsAgree = forEachCluster(function* (context, hub) {
  const applied = appliedShortcuts(context, hub.name);
  const expected = context.bundle.objects.get(`${hub.name}/expected/foreignclusterconnections.yaml`) ?? [];
  const left = new Set(hub.expected.shortcuts);
  const names = namesOfShortcuts(hub.expected.shortcuts);
  for (const [path, it] of applied) {
    const link = hub.expected.shortcuts.find((one) => joins(it, one));
    if (!link || !left.delete(link)) {
      yield diagnostic(
        'verify/unasked-path',
        it.at,
        `"${hub.name}" has a ${KIND} "${it.name}" for no shortcut of the topology, or a second one for a shortcut`,
      );
      continue;
    }
    if (!path.endsWith(`/${it.name}.yaml`))
      yield diagnostic('verify/shortcut', it.at, `the ${KIND} "${it.name}" is in a file with another name`);
    yield* compareText({
      code: 'verify/shortcut',
      what: `the name of ${KIND} "${it.name}"`,
      found: textAt(it.node, ['metadata', 'name']),
      wanted: names.get(link) ?? null,
    });
    yield* settingsOf(it, KIND, link, { hub, network: context.network });
    const predicted = expected.find((one) => one.name === it.name);
    if (!predicted) continue;
    yield* settingsOf(predicted, `the expected ${KIND}`, link, { hub, network: context.network });
    yield* statusOf(predicted, link, { hub, network: context.network });
  }
  for (const link of left) yield missingShortcut(context, hub, link);
  yield* areRead(
    hub,
    applied.map(([, it]) => it),
  );
  yield* unpredicted(
    context,
    hub,
    applied.map(([, it]) => it.name),
  );
});

interface HubNetwork {
  readonly hub: RebuiltCluster;
  readonly network: RebuiltNetwork;
}

const appliedShortcuts = ({ bundle }: CheckContext, hub: string): readonly (readonly [string, KubeObject])[] =>
  objectsIn(bundle, `${hub}/shortcuts`).flatMap(([path, objects]) =>
    objects.filter((it) => it.kind === KIND).map((it) => [path, it] as const),
  );

function joins({ node }: KubeObject, link: ExpectedLink): boolean {
  const [server, client] = [link.server.name, link.client.name];
  const [a, b] = ['foreignClusterA', 'foreignClusterB'].map((it) => textAt(node, ['spec', it]).text);
  return (a === client && b === server) || (a === server && b === client);
}

function missingShortcut({ bundle }: CheckContext, hub: RebuiltCluster, link: ExpectedLink): Diagnostic {
  const source = bundle.sources.get(`${hub.name}/shortcuts/kustomization.yaml`);
  const at = source ? startOf(source) : link.at;
  return diagnostic(
    'verify/missing-object',
    at,
    `"${hub.name}" is missing the ${KIND} for the shortcut of "${link.client.name}" and "${link.server.name}"`,
  );
}

/** The client, then the server, with a dot between them where one name contains the usual separator. */
function plainName({ client, server }: ExpectedLink): string {
  const names = [client.name, server.name];
  return names.join(names.some((it) => it.includes('--')) ? '.' : '--');
}

/**
 * The names of a hub's shortcuts. Those of a tree begin with a rank if the fork would not read all of them by their
 * plain names: 99 less the number of shortcuts from its client to the root of the tree.
 */
function namesOfShortcuts(shortcuts: readonly ExpectedLink[]): ReadonlyMap<ExpectedLink, string> {
  const edges = groupBy(
    shortcuts.map((link) => ({ link, ends: [link.client.name, link.server.name] as const })),
    (it) => it.ends,
  );
  const names = new Map(shortcuts.map((it) => [it, plainName(it)]));
  const seen = new Set<string>();
  for (const start of edges.keys()) {
    if (seen.has(start)) continue;
    const connected = spread(edges, start);
    for (const it of connected.clusters) seen.add(it);
    const links = connected.edges.map((it) => it.edge.link).sort(by(plainName));
    const next = nextOf(links);
    if (next === undefined || unread(links).length === 0) continue;
    const steps = links.map((it) => [it, stepsFrom(it.client.name, next)] as const);
    const digits = Math.max(2, String(largest(steps.map(([, count]) => count))).length);
    for (const [it, count] of steps) {
      const rank = String(10 ** digits - 1 - count).padStart(digits, '0');
      names.set(it, `s${rank}-${plainName(it)}`);
    }
  }
  return names;
}

/** The server of each client; `undefined` where one is the client of two, or they form a circle. */
function nextOf(shortcuts: readonly ExpectedLink[]): ReadonlyMap<string, string> | undefined {
  const next = new Map(shortcuts.map((it) => [it.client.name, it.server.name]));
  return next.size < shortcuts.length || hasRing(next) ? undefined : next;
}

function stepsFrom(cluster: string, next: ReadonlyMap<string, string>): number {
  let count = 0;
  for (let at = next.get(cluster); at !== undefined; at = next.get(at)) count++;
  return count;
}

/** The ends that the fork does not read, with the shortcuts in the order in which it lists them. */
function unread(listed: readonly ExpectedLink[]): readonly (readonly [ExpectedLink, end: string])[] {
  const isA = new Set<string>();
  return listed.flatMap((it) => {
    const end = [it.client.name, it.server.name].find((one) => isA.has(one));
    isA.add(it.client.name);
    return end === undefined ? [] : [[it, end] as const];
  });
}

/**
 * Checks that the fork reads all connections of a cluster. It reads them in order of name, up to the first one in which
 * the cluster is A. weft's names have an order in which it reads all of them, if there is such an order. Source:
 * Gabbe64/liqo@b83d06f2 pkg/utils/virtualkubelet.
 */
function* areRead(hub: RebuiltCluster, applied: readonly KubeObject[]): Iterable<Diagnostic> {
  const { shortcuts } = hub.expected;
  if (nextOf(shortcuts) === undefined) return;
  const objects = new Map(
    [...applied].sort(by((it) => it.name)).flatMap((it) => {
      const link = shortcuts.find((one) => joins(it, one));
      return link ? [[link, it] as const] : [];
    }),
  );
  for (const [link, end] of unread([...objects.keys()])) {
    const { name = '', at = link.at } = objects.get(link) ?? {};
    const message = `the fork does not read ${KIND} "${name}" for "${end}", which is A of one that comes before`;
    yield diagnostic('verify/shortcut', at, message);
  }
}

/** True when shortcuts, followed from client to server, form a circle. */
function hasRing(next: ReadonlyMap<string, string>): boolean {
  const done = new Set<string>();
  for (const start of next.keys()) {
    const path = new Set<string>();
    for (let at: string | undefined = start; at !== undefined && !done.has(at); at = next.get(at)) {
      if (path.has(at)) return true;
      path.add(at);
    }
    for (const it of path) done.add(it);
  }
  return false;
}

/** Source: Gabbe64/foreign_cluster_connector@5fa34ef, whose defaults are these. */
const TIMEOUT_SECONDS = '120';

/**
 * Checks the settings. The operator uses the gateways of the two ends; with other values it would create a second one.
 */
function* settingsOf(
  { node, name }: KubeObject,
  kind: string,
  link: ExpectedLink,
  { hub, network }: HubNetwork,
): Iterable<Diagnostic> {
  const { endpoint, mtuBytes } = link;
  const [server, client] = [link.server.name, link.client.name];
  const servicePort = network.get(server)?.peers.get(client)?.endpoint.servicePort;
  const template = (cluster: string, peer: string, ref: string, field: string): string | undefined => {
    const gateway = network.get(cluster)?.peers.get(peer)?.gateway;
    return gateway && textAt(gateway.node, ['spec', ref, field]).text;
  };
  const wanted: readonly (readonly [path: string, value: string | undefined, type?: ScalarType])[] = [
    ['apiVersion', API],
    ['kind', KIND],
    ['metadata.namespace', hub.expected.liqoNamespace],
    ['spec.foreignClusterA', client],
    ['spec.foreignClusterB', server],
    ['spec.networking.mtu', String(mtuBytes), 'number'],
    ['spec.networking.serverGatewayType', `${API}/wggatewayservertemplates`],
    ['spec.networking.serverServiceType', endpoint.serviceType],
    ['spec.networking.serverServicePort', servicePort, 'number'],
    ['spec.networking.serverTemplateName', template(server, client, 'serverTemplateRef', 'name')],
    ['spec.networking.serverTemplateNamespace', template(server, client, 'serverTemplateRef', 'namespace')],
    ['spec.networking.clientGatewayType', `${API}/wggatewayclienttemplates`],
    ['spec.networking.clientTemplateName', template(client, server, 'clientTemplateRef', 'name')],
    ['spec.networking.clientTemplateNamespace', template(client, server, 'clientTemplateRef', 'namespace')],
    ['spec.networking.timeoutSeconds', TIMEOUT_SECONDS, 'number'],
    ['spec.networking.wait', 'true', 'boolean'],
  ];
  for (const [text, value, type] of wanted) {
    if (value === undefined) continue;
    const path = text.split('.');
    yield* compareText({
      code: 'verify/shortcut',
      what: `${path.at(-1)} of ${kind} "${name}"`,
      found: textAt(node, path),
      wanted: value,
      ...(type === undefined ? {} : { type }),
      phrase: 'the link has',
    });
  }
}

/** Checks both entries of the status: the views that the hub and the one end have of the other end's pods. */
function* statusOf({ node, name }: KubeObject, link: ExpectedLink, { hub, network }: HubNetwork): Iterable<Diagnostic> {
  yield* compareParts({ code: 'verify/shortcut', what: `the status of ${KIND} "${name}"`, node }, [
    [['status', 'isConnected'], true],
    [['status', 'phase'], 'Connected'],
  ]);
  const [server, client] = [link.server.name, link.client.name];
  const view = (viewer: string, peer: string): FoundText | undefined =>
    network
      .get(viewer)
      ?.peers.get(peer)
      ?.views.find((it) => it.kind === 'pod')?.seenAs;
  for (const [letter, receiver, other] of [
    ['A', client, server],
    ['B', server, client],
  ] as const) {
    for (const [field, viewer] of [
      ['podCIDR', hub.name],
      ['remappedPodCIDR', receiver],
    ] as const) {
      const there = view(viewer, other);
      if (there?.text === undefined) continue;
      yield* compareText({
        code: 'verify/shortcut',
        what: `${field} of cluster ${letter} in the status of ${KIND} "${name}"`,
        found: textAt(node, ['status', `foreignCluster${letter}Networking`, field]),
        wanted: there.text,
        phrase: `"${viewer}" sees the pods of "${other}" as`,
        other: there,
      });
    }
  }
}

function* unpredicted({ bundle }: CheckContext, hub: RebuiltCluster, applied: readonly string[]): Iterable<Diagnostic> {
  const path = `${hub.name}/expected/foreignclusterconnections.yaml`;
  const [source, objects] = [bundle.sources.get(path), bundle.objects.get(path)];
  if (!source || !objects) return;
  const names = objects.map((it) => it.name);
  for (const name of applied.filter((it) => !names.includes(it))) {
    yield diagnostic('verify/missing-object', startOf(source), `the expected status of ${KIND} "${name}" is missing`);
  }
  for (const [i, it] of objects.entries()) {
    if (applied.includes(it.name) && names.indexOf(it.name) === i) continue;
    yield diagnostic(
      'verify/extra-object',
      it.at,
      `"${hub.name}" has an expected ${KIND} "${it.name}" that is not applied, or a second one`,
    );
  }
}
