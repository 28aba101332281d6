import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import { type Outcome, outcome } from '../diagnostics/outcome.ts';
import { type Decisions, decisionAbout, portKey } from '../lock/decisions.ts';
import type { Span } from '../source/source.ts';
import type { ClusterDeclaration, Declaration, TemplateName } from '../topology/declaration.ts';
import type { KeysDocument } from '../topology/keys-document.ts';
import { isAtLeast } from '../topology/release.ts';
import type { AskedLink } from './asked-link.ts';
import { assignJoins } from './assign-joins.ts';
import { assignPorts, type ServedLink } from './assign-ports.ts';
import { checkSharedServices } from './check-shared-services.ts';
import { chooseServer, hubWithoutDialableEnd } from './choose-server.ts';
import { groupBy } from './group-by.ts';
import { identifyLinks } from './identify-links.ts';
import { listLinks } from './list-links.ts';
import { nameShortcuts } from './name-shortcuts.ts';
import type { Cluster, Endpoint, Fleet, Link, NetworkModel, TemplateRef } from './network-model.ts';
import { orientShortcuts } from './orient-shortcuts.ts';
import { readKeys } from './read-keys.ts';
import { unreadEnds } from './unread-ends.ts';

/** Names become references, wishes become links with ends, ports and a place in the order. Only addresses stay open. */
export function resolveModel(
  declaration: Declaration,
  keys: KeysDocument | undefined,
  decisions: Decisions,
): Outcome<NetworkModel> {
  const clusters = resolveClusters(declaration);
  const { links: listed, found } = listLinks(declaration, clusters);
  const asked = identifyLinks(listed, decisions);
  const joins = assignJoins(asked, declaration, decisions);
  const inOrder = [...asked].sort((a, b) => (joins.get(a.id) ?? 0) - (joins.get(b.id) ?? 0));
  const { served, found: serverFound } = chooseServers(inOrder, declaration, decisions);
  const { endpoints, found: portFound } = assignPorts(served, decisions);
  const { keysOf, found: keyFound } = readKeys(keys, clusters, served, declaration.name.at);
  const links = served.map((it): Link => {
    const { link, server, client } = it;
    return {
      id: link.id,
      kind: link.kind,
      join: joins.get(link.id) as number,
      at: link.at,
      server: server.name,
      client: client.name,
      mtuBytes: mtuOf(it),
      endpoint: endpoints.get(link.id) as Endpoint,
      publicKeys: keysOf(it),
      templates: {
        server: templateRef(link.options?.template.server ?? null, server),
        client: templateRef(link.options?.template.client ?? null, client),
      },
      commonHubs: link.commonHubs,
    };
  });
  const model = { fleet: fleetOf(declaration), clusters, links };
  return outcome(model, [
    ...found,
    ...serverFound,
    ...portFound,
    ...checkSharedServices(served),
    ...linkRemarks(served),
    ...operatorReleases(declaration, model),
    ...unusedShortcuts(declaration, model),
    ...keyFound,
  ]);
}

function resolveClusters(declaration: Declaration): ReadonlyMap<string, Cluster> {
  const declared = [...declaration.clusters].sort((a, b) => (a.name < b.name ? -1 : 1));
  const live = new Set(declared.filter((it) => !it.retired).map((it) => it.name));
  const fleetHubs = declaration.hubs.map((it) => it.value);
  const hubsOf = ({ name, hubs }: ClusterDeclaration): readonly string[] => {
    const named = hubs?.map((it) => it.value) ?? (fleetHubs.includes(name) ? [] : fleetHubs);
    return [...new Set(named)].filter((it) => it !== name && live.has(it)).sort();
  };
  return new Map(declared.map((it) => [it.name, { ...it, hubs: it.retired ? [] : hubsOf(it) }]));
}

function chooseServers(
  links: readonly AskedLink[],
  declaration: Declaration,
  decisions: Decisions,
): { readonly served: readonly ServedLink[]; readonly found: readonly Diagnostic[] } {
  const failed: Failed[] = [];
  const chosen = links.flatMap((link) => {
    const choice = chooseServer(link);
    if ('code' in choice) failed.push({ link, mistake: choice });
    return 'code' in choice ? [] : [{ link, choice }];
  });
  const found = mistakesOf(failed);
  // With the fork's operator the client end is what decides whether a shortcut is used, so free ends are turned for it.
  const turned = declaration.shortcutOperator.value
    ? orientShortcuts(
        chosen
          .filter(({ link }) => link.kind === 'shortcut')
          .map(({ link, choice }) => ({
            id: link.id,
            ends: [link.ends[0].name, link.ends[1].name] as const,
            // An end that serves already stays: turning it would tear the tunnel down.
            forcedServer: choice.kind === 'fixed' ? choice.server : (keptServer(link, decisions) ?? null),
            preferredServer: choice.server,
          })),
      )
    : new Map<string, string>();
  const served = chosen.map(({ link, choice }): ServedLink => {
    const name = turned.get(link.id) ?? choice.server;
    const [a, b] = link.ends;
    return a.name === name ? { link, server: a, client: b } : { link, server: b, client: a };
  });
  return { served, found };
}

interface Failed {
  readonly link: AskedLink;
  readonly mistake: Diagnostic;
}

/** A hub without an address is one mistake, however many spokes it has. */
function mistakesOf(failed: readonly Failed[]): readonly Diagnostic[] {
  const plain = ({ link }: Failed): boolean => link.hub !== null && link.options === null;
  const byHub = groupBy(failed.filter(plain), ({ link }) => (link.hub ? [link.hub.name] : []));
  const told = new Set<string>();
  return failed.flatMap((it) => {
    const group = plain(it) && it.link.hub ? (byHub.get(it.link.hub.name) ?? []) : [];
    const hub = it.link.hub;
    if (group.length < 2 || !hub) return [it.mistake];
    if (told.has(hub.name)) return [];
    told.add(hub.name);
    return [
      hubWithoutDialableEnd(
        hub,
        group.map((other) => other.link),
      ),
    ];
  });
}

/** The end that served so far: the one that has a port in the lock. */
function keptServer(link: AskedLink, decisions: Decisions): string | undefined {
  return link.ends.find((end) => decisionAbout(decisions, link.id, (id) => portKey(id, end.name)))?.name;
}

function mtuOf({ link, server, client }: ServedLink): number {
  return link.options?.mtuBytes?.value ?? Math.min(server.gateway.mtuBytes.value, client.gateway.mtuBytes.value);
}

function templateRef(template: TemplateName | null, cluster: Cluster): TemplateRef | null {
  return template && { name: template.name, namespace: template.namespace ?? cluster.liqoNamespace };
}

/** What works and is still worth knowing about a link. */
function* linkRemarks(links: readonly ServedLink[]): Iterable<Diagnostic> {
  for (const it of links) {
    const { link, server, client } = it;
    const [a, b] = [server.gateway.mtuBytes, client.gateway.mtuBytes];
    if (!link.options?.mtuBytes && a.value !== b.value) {
      yield diagnostic(
        'link/mtu-differs',
        link.at,
        `the gateways of "${server.name}" (${a.value}) and "${client.name}" (${b.value}) differ in MTU; the link gets ${mtuOf(it)} bytes`,
        {
          hint: 'both ends of a tunnel need the same MTU; set `mtu` on the link to choose it yourself',
        },
      );
    }
    if (link.options?.nodePort && server.gateway.service !== 'NodePort') {
      yield diagnostic(
        'link/option-without-effect',
        link.options.nodePort.at,
        `\`nodePort\` has no effect: "${server.name}" serves this link with a ${server.gateway.service} service`,
        {
          hint: '`port` chooses the port of the Service',
        },
      );
    }
    yield* unreadPodCIDRs(server, client, link.at);
    yield* unreadPodCIDRs(client, server, link.at);
    if (server.release.line !== client.release.line) {
      yield diagnostic(
        'topology/version-skew',
        link.at,
        `"${server.name}" runs Liqo ${server.release.version} and "${client.name}" ${client.release.version}`,
        {
          hint: 'each end gets the objects of its own release; upgrade them together to be where Liqo is tested',
        },
      );
    }
  }
}

/**
 * Before 1.2 a cluster reads the first pod CIDR of a peer and no further: the pods in the others could not reach it.
 * Source: liqotech/liqo@v1.1.2 pkg/liqo-controller-manager/networking/external-network/configuration.
 */
function* unreadPodCIDRs(peer: Cluster, viewer: Cluster, at: Span): Iterable<Diagnostic> {
  const second = peer.podCIDRs[1];
  if (!second || isAtLeast(viewer.release, '1.2') || !isAtLeast(peer.release, '1.2')) return;
  yield diagnostic(
    'topology/several-pod-cidrs',
    second.at,
    `"${peer.name}" has ${peer.podCIDRs.length} pod CIDRs, and its peer "${viewer.name}" runs Liqo ${viewer.release.version}, which uses the first only`,
    {
      hint: `upgrade "${viewer.name}" to 1.2, or give "${peer.name}" one pod CIDR`,
      related: [{ message: 'the link between them', span: at }],
    },
  );
}

/** The fork's operator looks for Networks by names that 1.2 no longer uses. Source: liqo reference of the operator, internal/controller. */
function* operatorReleases(declaration: Declaration, { clusters, links }: NetworkModel): Iterable<Diagnostic> {
  if (!declaration.shortcutOperator.value) return;
  const involved = links
    .filter((it) => it.kind === 'shortcut')
    .flatMap((it) => [...it.commonHubs, it.server, it.client]);
  const newer = [...new Set(involved)]
    .sort()
    .flatMap((name) => clusters.get(name) ?? [])
    .filter((it) => isAtLeast(it.release, '1.2'));
  const [first] = newer;
  if (!first) return;
  const who =
    newer.length > 1
      ? `"${first.name}" and ${newer.length - 1} more run later ones`
      : `"${first.name}" runs ${first.release.version}`;
  yield diagnostic(
    'topology/shortcut-operator-release',
    declaration.shortcutOperator.at,
    `the shortcut operator works with Liqo 1.0 and 1.1, and ${who}`,
    {
      hint: 'set `liqo.shortcutOperator: false`; Liqo 1.2 has direct connections of its own',
      related: [{ message: `"${first.name}" stands here`, span: first.at }],
    },
  );
}

/** Shortcuts that the fork would pass over, since it reads of each cluster only so many connections. */
function* unusedShortcuts(declaration: Declaration, { links }: NetworkModel): Iterable<Diagnostic> {
  if (!declaration.shortcutOperator.value) return;
  const byHub = groupBy(links, (it) => (it.kind === 'shortcut' ? it.commonHubs : []));
  for (const [hub, shortcuts] of byHub) {
    for (const { link, cluster } of unreadEnds(nameShortcuts(shortcuts))) {
      const other = cluster === link.server ? link.client : link.server;
      yield diagnostic(
        'link/shortcut-operator-unused',
        link.at,
        `the fork in "${hub}" does not use this shortcut for services that "${cluster}" reaches in "${other}"`,
        {
          hint: 'a cluster can be client of one shortcut only, and shortcuts must not form a ring; choose the ends with `server`, or take one away',
        },
      );
    }
  }
}

function fleetOf(declaration: Declaration): Fleet {
  return {
    name: declaration.name.value,
    topologyFile: declaration.source.path.split(/[\\/]/).at(-1) ?? declaration.source.path,
    at: declaration.name.at,
    shortcutOperator: declaration.shortcutOperator.value,
    emitConnections: declaration.emitConnections,
    carve: {
      from: declaration.carve.from.map((it) => it.value),
      length: declaration.carve.length.value,
      at: declaration.carve.length.at,
    },
    keySecretName: declaration.keySecretName.value,
    gitops: declaration.gitops,
  };
}
