import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { contains, type Prefix } from '../net/prefix.ts';
import { type DocumentMap, type DocumentNode, type DocumentPath, mergeNodes, nodeAt } from '../source/document-node.ts';
import { type Located, orDefault, scalarAt, stringsAt } from '../source/located.ts';
import { checkGatewaySettings } from './check-gateway-settings.ts';
import type { ClusterDeclaration, Declaration, GitOps, LinkDeclaration, TemplateName } from './declaration.ts';
import { readAssertions } from './read-assertions.ts';
import { type Report, readCidr } from './read-cidr.ts';
import { readCluster, readPools } from './read-cluster.ts';
import type { TopologyDocument } from './topology-document.ts';

/** Length of an `auto` block: 4,094 addresses, enough for the pods and gateways that a busy cluster maps. */
const DEFAULT_CARVE_LENGTH = 20;

/** Reads every text of a checked document. What cannot be read is reported and left out. */
export function readDeclaration({ source, root }: TopologyDocument): {
  readonly declaration: Declaration;
  readonly found: readonly Diagnostic[];
} {
  const found: Diagnostic[] = [];
  const report: Report = (it) => found.push(it);
  const clusters = nodeAt(root, ['clusters']) as DocumentMap;
  const defaults = nodeAt(root, ['defaults']);
  const names = [...clusters.entries].map(([value, { key }]) => ({ value, at: key }));
  const read = names
    .map((name) => {
      const own = emptyForNull(clusters.entries.get(name.value)?.value ?? clusters);
      const node = defaults?.kind === 'map' ? mergeNodes(defaults, own) : own;
      checkGatewaySettings(name.value, node, report);
      return readCluster({ name, node, root }, report);
    })
    .filter((it) => it !== undefined);
  const declaration: Declaration = {
    source,
    name: orDefault<string>(root, ['name'], ''),
    shortcutOperator: orDefault(root, ['liqo', 'shortcutOperator'], false),
    emitConnections: orDefault(root, ['liqo', 'emitConnections'], false).value,
    keySecretName: orDefault<string>(root, ['keys', 'secretName'], 'gw-keys'),
    carve: readCarve(root, read, report),
    gitops: readGitOps(root),
    hubs: stringsAt(root, ['hub']) ?? [],
    peerings: linksAt(root, 'peerings'),
    shortcuts: linksAt(root, 'shortcuts'),
    order: stringsAt(root, ['order']) ?? [],
    assertions: readAssertions(root),
    names,
    clusters: read,
  };
  return { declaration, found };
}

/** `rome:` with nothing behind it means a cluster that `defaults` describes. */
function emptyForNull(node: DocumentNode): DocumentNode {
  return node.kind === 'map' ? node : { kind: 'map', span: node.span, entries: new Map() };
}

/** Where blocks come from unless the topology says it: what lies in the pools of every cluster. */
function commonPools(
  clusters: readonly ClusterDeclaration[],
  root: DocumentNode,
  report: Report,
): readonly Located<Prefix>[] {
  const [first, ...others] = clusters;
  let common = first?.pools ?? readPools(root, 'pool', report);
  for (const { pools } of others) {
    common = common.flatMap((a) =>
      pools.flatMap((b) => (contains(a.value, b.value) ? [b] : contains(b.value, a.value) ? [a] : [])),
    );
  }
  return common;
}

function readCarve(root: DocumentNode, clusters: readonly ClusterDeclaration[], report: Report): Declaration['carve'] {
  const text = scalarAt<string>(root, ['ipam', 'carve', 'from']);
  const from = text && readCidr(text, '`ipam.carve.from`', report);
  return {
    from: from ? [from] : commonPools(clusters, root, report),
    length: orDefault(root, ['ipam', 'carve', 'prefix'], DEFAULT_CARVE_LENGTH),
  };
}

function linksAt(root: DocumentNode, key: 'peerings' | 'shortcuts'): readonly LinkDeclaration[] {
  const list = nodeAt(root, [key]);
  return list?.kind === 'list' ? list.items.map(readLink) : [];
}

function readLink(node: DocumentNode): LinkDeclaration {
  const [a, b] = (node.kind === 'list' ? stringsAt(node, []) : stringsAt(node, ['between'])) ?? [];
  const nowhere = { value: '', at: node.span };
  return {
    at: node.span,
    between: [a ?? nowhere, b ?? nowhere],
    server: scalarAt<string>(node, ['server']) ?? null,
    mtuBytes: scalarAt<number>(node, ['mtu']) ?? null,
    nodePort: scalarAt<number>(node, ['nodePort']) ?? null,
    address: scalarAt<string>(node, ['address']) ?? null,
    port: scalarAt<number>(node, ['port']) ?? null,
    template: {
      server: templateAt(node, ['template', 'server']) ?? templateAt(node, ['template']),
      client: templateAt(node, ['template', 'client']) ?? templateAt(node, ['template']),
    },
  };
}

function templateAt(node: DocumentNode, path: DocumentPath): TemplateName | null {
  const name: Located<string> | undefined = scalarAt<string>(node, path) ?? scalarAt<string>(node, [...path, 'name']);
  return name ? { name: name.value, namespace: scalarAt<string>(node, [...path, 'namespace'])?.value ?? null } : null;
}

function readGitOps(root: DocumentNode): GitOps | null {
  const text = (path: string, otherwise: string): string =>
    scalarAt<string>(root, ['gitops', ...path.split('.')])?.value ?? otherwise;
  const repository = scalarAt<string>(root, ['gitops', 'repository'])?.value;
  if (repository === undefined) return null;
  // Naming one tool means that tool; naming none means that either may be used.
  const wants = (tool: 'argo' | 'flux'): boolean =>
    nodeAt(root, ['gitops', tool]) !== undefined ||
    (!nodeAt(root, ['gitops', 'argo']) && !nodeAt(root, ['gitops', 'flux']));
  return {
    repository,
    revision: text('revision', 'main'),
    path: text('path', 'out').replace(/^(\.?\/)+|\/+$/g, ''),
    argo: wants('argo') ? { namespace: text('argo.namespace', 'argocd'), project: text('argo.project', 'weft') } : null,
    flux: wants('flux')
      ? {
          namespace: text('flux.namespace', 'flux-system'),
          source: text('flux.source', 'weft'),
          dependsOn: (stringsAt(root, ['gitops', 'flux', 'dependsOn']) ?? []).map((it) => it.value),
        }
      : null,
  };
}
