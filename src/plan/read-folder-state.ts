import { isKustomization, parseBundlePath, printBundlePath } from '../base/core/bundle-path.ts';
import { sortedUnique } from '../base/core/collections.ts';
import { parseHeader } from '../base/core/generated-files.ts';
import { type Files, type FolderState, readSideFacts, type SideFacts } from './folder-state.ts';
import type { ServiceState } from './network-state.ts';
import { readClusterFacts } from './read-cluster-states.ts';
import { readArgo, readFlux } from './read-entry-points.ts';
import { type ManifestLines, readManifestLines } from './read-manifest-lines.ts';
import { readOffloadings, readShares } from './read-sharing-state.ts';

/** @param files all files of that folder, by their full path */
export function readFolderState(folder: string, files: Files): FolderState {
  const list = topologyFileIn(files);
  return withoutTexts({
    cluster: readClusterFacts(folder, files),
    sides: readSides(folder, files),
    shares: readShares(folder, files),
    offloadings: readOffloadings(folder, files),
    ...(list === undefined ? {} : { topologyFile: list }),
    hasShortcuts: hasShortcuts(files, `${folder}/shortcuts/`),
    tools: { argo: readArgo(files), flux: readFlux(files) },
  });
}

/**
 * A copy of a state. V8 keeps a whole text in memory for any part of it of at least 13 characters, and a fleet has
 * hundreds of megabytes of texts.
 */
const withoutTexts = (state: FolderState): FolderState => JSON.parse(JSON.stringify(state)) as FolderState;

function readSides(folder: string, files: Files): FolderState['sides'] {
  const sides: (readonly [string, SideFacts])[] = [];
  const templates = new ServiceTemplates(files);
  const above = `${folder}/peers/`;
  for (const [path, text] of files) {
    if (!path.startsWith(above)) continue;
    const peer = path.slice(above.length, path.indexOf('/', above.length));
    if (path !== printBundlePath({ part: 'peer', cluster: folder, peer, file: 'manifests' })) continue;
    const manifests = readManifestLines(text);
    const service = readServiceState(manifests, folder, templates);
    sides.push([peer, { ...readSideFacts(manifests, peer), service }]);
  }
  return sides;
}

/** The topology file in the header of the first kustomization; `undefined` without one. */
function topologyFileIn(files: Files): string | null | undefined {
  for (const [path, text] of files) {
    const place = parseBundlePath(path);
    if (place !== undefined && isKustomization(place)) return parseHeader(text) ?? null;
  }
  return undefined;
}

function hasShortcuts(files: Files, start: string): boolean {
  for (const path of files.keys())
    if (path.startsWith(start) && parseBundlePath(path)?.part === 'shortcuts') return true;
  return false;
}

/** The gateway templates in the files. Each is read once, because thousands of links use the same one. */
class ServiceTemplates {
  readonly #files: Files;
  readonly #read = new Map<string, ManifestLines>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** Empty for a template that the files do not contain: the chart's, or one that was applied in another way. */
  named(cluster: string, name: string): ManifestLines {
    const path = printBundlePath({ part: 'gateway-templates', cluster, name });
    const lines = this.#read.get(path) ?? readManifestLines(this.#files.get(path) ?? '')[0] ?? new Map();
    this.#read.set(path, lines);
    return lines;
  }
}

/** The Service of a server, from its GatewayServer and the template. `null` without a GatewayServer. */
function readServiceState(
  manifests: readonly ManifestLines[],
  cluster: string,
  templates: ServiceTemplates,
): ServiceState | null {
  const server = manifests.find((it) => it.get('kind') === 'GatewayServer');
  if (server === undefined) return null;
  const endpoint = (field: string): string | undefined => server.get(`spec.endpoint.${field}`);
  const template = templates.named(cluster, server.get('spec.serverTemplateRef.name') ?? '');
  const inTemplate = (field: string): string | undefined => template.get(`${SERVICE}.spec.${field}`);
  return {
    type: endpoint('serviceType') ?? '',
    port: endpoint('port') ?? '',
    nodePort: endpoint('nodePort') ?? null,
    loadBalancerIP: endpoint('loadBalancerIP') ?? null,
    loadBalancerClass: inTemplate('loadBalancerClass') ?? null,
    externalTrafficPolicy: inTemplate('externalTrafficPolicy') ?? 'Cluster',
    allocatesNodePorts: inTemplate('allocateLoadBalancerNodePorts') !== 'false',
    annotations: sortedUnique([
      ...entriesBelow(server, 'spec.serviceAnnotations.'),
      ...entriesBelow(template, `${SERVICE}.metadata.annotations.`),
    ]),
  };
}

/** The path of the Service in a template. */
const SERVICE = 'spec.template.spec.service';

const entriesBelow = (lines: ManifestLines, prefix: string): readonly string[] =>
  [...lines].filter(([key]) => key.startsWith(prefix)).map(([key, value]) => `${key.slice(prefix.length)}=${value}`);
