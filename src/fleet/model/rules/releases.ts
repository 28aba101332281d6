import { groupBy } from '../../../base/core/collections.ts';
import { listOf } from '../../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { areOfOneLine } from '../../../base/releases/release.ts';
import { firstLineWith, linesWith } from '../../../base/releases/traits.ts';
import type { Span } from '../../../base/source/source.ts';
import type { LinkDeclaration, NamesDeclaration } from '../../topology/declaration.ts';
import { describeNewerClusters } from '../../topology/rules/topology-rule.ts';
import type { ModelRule, ResolvedLinks } from '../link-stages.ts';
import type { Cluster, ObjectNames } from '../network-model.ts';
import { nameObjects, nameShortcuts, unreadEnds } from '../object-names.ts';

/** Both ends of a link run the same release line. */
export const peersRunOneRelease: ModelRule = function* ({ served }) {
  for (const { link, server, client } of served) {
    if (areOfOneLine(server.release, client.release)) continue;
    yield diagnostic(
      'topology/version-skew',
      link.at,
      `"${server.name}" runs Liqo ${server.release.version} and "${client.name}" ${client.release.version}`,
      {
        about: [[server.name, client.name]],
        hint: 'upgrade them together, since Liqo is tested with equal releases; each end gets the objects of its own',
      },
    );
  }
};

/**
 * Every peer of a cluster with several pod CIDRs reads all of them. Before 1.2 a cluster reads only the first, and the
 * pods in the others cannot reach it.
 * Source: liqotech/liqo@v1.1.2 pkg/liqo-controller-manager/networking/external-network/configuration.
 */
export const peersReadEveryPodCidr: ModelRule = function* ({ served }) {
  for (const { link, server, client } of served) {
    yield* unreadPodCIDRs(server, client, link.at);
    yield* unreadPodCIDRs(client, server, link.at);
  }
};

function* unreadPodCIDRs(peer: Cluster, viewer: Cluster, at: Span): Iterable<Diagnostic> {
  const second = peer.podCIDRs[1];
  if (!second || viewer.traits.remapsEveryPodCIDR || !peer.traits.takesSeveralPodCIDRs) return;
  yield diagnostic(
    'topology/several-pod-cidrs',
    second.at,
    `"${peer.name}" has ${peer.podCIDRs.length} pod CIDRs, and its peer "${viewer.name}" runs Liqo ${viewer.release.version}, which uses only the first`,
    {
      hint: `upgrade "${viewer.name}" to ${firstLineWith('remapsEveryPodCIDR')}, or give "${peer.name}" one pod CIDR`,
      related: [{ message: 'the link between them is declared here', span: at }],
    },
  );
}

/**
 * Platforms on which Liqo documents that addresses outside the cluster cannot be mapped. A hub maps the pods of one
 * spoke for another in the same block; it is untested whether that works there. Source: liqotech/liqo@v1.2.0
 * docs/installation/compatibility.md (ExternalIPRemapping).
 */
const DOUBTFUL: readonly string[] = ['eks', 'aks-kubenet', 'aks-overlay'];

/** Spokes without a link of their own reach each other through a hub that can map addresses. */
export const hubsMapPodsOfOthers: ModelRule = function* (resolved) {
  for (const hub of resolved.model.clusters.values()) {
    const platform = hub.platform;
    if (platform === null || hub.retired || !DOUBTFUL.includes(platform.value) || !forwards(hub, resolved)) continue;
    const message = `spokes of "${hub.name}" reach each other through it, and Liqo documents no mapping of external addresses on ${platform.value}`;
    yield diagnostic('link/hub-transit-untested', platform.at, message, {
      about: [[hub.name]],
      hint: 'try it between two spokes first, add shortcuts, or make a cluster on another platform the hub',
    });
  }
};

/** True when two spokes of a hub have no link to each other. */
function forwards(hub: Cluster, { model, served }: ResolvedLinks): boolean {
  const spokes = new Set([...model.clusters.values()].filter((it) => it.hubs.includes(hub.name)).map((it) => it.name));
  const direct = served.filter(({ server, client }) => spokes.has(server.name) && spokes.has(client.name));
  return direct.length < (spokes.size * (spokes.size - 1)) / 2;
}

/**
 * The shortcut operator supports the releases of all ends and hubs of shortcuts. It finds Networks by names that 1.2 no
 * longer uses. Source: liqo reference of the operator, internal/controller.
 */
export const shortcutOperatorSupportsTheReleases: ModelRule = function* ({ declaration, model, served }) {
  if (!declaration.shortcutOperator.value) return;
  const shortcuts = served.filter((it) => it.link.kind === 'shortcut');
  const involved = new Set(
    shortcuts.flatMap(({ link, server, client }) => [...link.commonHubs, server.name, client.name]),
  );
  const newer = [...model.clusters.values()].filter(
    (it) => involved.has(it.name) && !it.traits.worksWithShortcutOperator,
  );
  const [first] = newer;
  if (!first) return;
  const who = describeNewerClusters(first, newer.length - 1);
  yield diagnostic(
    'topology/shortcut-operator-release',
    declaration.shortcutOperator.at,
    `the shortcut operator works only with Liqo ${listOf(linesWith('worksWithShortcutOperator'))}, but ${who}`,
    {
      hint: `set \`liqo.shortcutOperator: false\`; Liqo ${firstLineWith('hasDirectConnections')} has direct connections of its own`,
      related: [{ message: `"${first.name}" is declared here`, span: first.at }],
    },
  );
};

type ObjectKind = Exclude<keyof ObjectNames, 'secret'>;

/**
 * Objects that the operator requires at both ends of a shortcut: it connects them with the library of liqoctl, and
 * reads the result there.
 */
const OF_SHORTCUTS: readonly ObjectKind[] = ['namespace', 'configuration', 'gateway', 'publicKey'];

/**
 * Objects that are required in a hub: the operator reads kubeconfigs, and the fork the ID of a leaf, from tenant
 * namespaces.
 */
const OF_HUBS: readonly ObjectKind[] = ['namespace'];

/**
 * The shortcut operator and the fork find objects by the names of liqoctl: all at both ends of a shortcut, and in its
 * hubs the namespaces for both ends. Source: Gabbe64/foreign_cluster_connector@5fa34ef internal/controller,
 * Gabbe64/liqo@b83d06f2 pkg/utils/virtualkubelet.
 */
export const shortcutOperatorFindsItsObjects: ModelRule = function* ({ declaration, served }) {
  if (!declaration.shortcutOperator.value) return;
  const shortcuts = served.filter((it) => it.link.kind === 'shortcut');
  const leaves = new Set(
    shortcuts.flatMap(({ link }) => link.commonHubs.flatMap((hub) => link.ends.map((end) => `${hub} ${end.name}`))),
  );
  for (const { link, server, client } of served) {
    if (link.options === null) continue;
    for (const [{ name: cluster }, { name: peer }] of [
      [server, client],
      [client, server],
    ] as const) {
      const isOfHub = leaves.has(`${cluster} ${peer}`);
      const kinds = link.kind === 'shortcut' ? OF_SHORTCUTS : isOfHub ? OF_HUBS : [];
      for (const kind of kinds) yield* notFound(link.options, { cluster, peer, kind });
    }
  }
};

interface NamedObject {
  readonly cluster: string;
  readonly peer: string;
  readonly kind: ObjectKind;
}

function* notFound(options: LinkDeclaration, { cluster, peer, kind }: NamedObject): Iterable<Diagnostic> {
  const listed: NamesDeclaration | undefined = options.names.find((it) => it.cluster.value === cluster);
  const written = listed?.[kind];
  const usual = nameObjects({ cluster, peer, options: null, secretName: '', generation: 1 })[kind];
  if (!written || written.value === usual) return;
  yield diagnostic(
    'link/shortcut-operator-names',
    written.at,
    `the shortcut operator looks for "${usual}" in "${cluster}", and \`names.${kind}\` for "${peer}" is "${written.value}"`,
    { hint: `remove \`${kind}\`, or set \`liqo.shortcutOperator: false\`` },
  );
}

/** The fork uses every shortcut. For each cluster it reads only some of the connections, see `unreadEnds`. */
export const shortcutOperatorUsesEveryShortcut: ModelRule = function* ({ declaration, model }) {
  if (!declaration.shortcutOperator.value) return;
  const byHub = groupBy(model.links, (it) => (it.kind === 'shortcut' ? it.commonHubs : []));
  for (const [hub, shortcuts] of byHub) {
    for (const { link, end } of unreadEnds(nameShortcuts(shortcuts))) {
      const other = end === link.server ? link.client : link.server;
      yield diagnostic(
        'link/shortcut-operator-unused',
        link.at,
        `the fork in "${hub}" does not use this shortcut for services that "${end.cluster.name}" reaches in "${other.cluster.name}"`,
        {
          about: [[end.cluster.name, other.cluster.name]],
          hint: 'choose the ends with `server`, or remove a shortcut: a cluster can be client of one shortcut only, and shortcuts must not form a ring',
        },
      );
    }
  }
};
