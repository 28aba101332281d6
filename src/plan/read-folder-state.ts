import { isKustomization, parseBundlePath, printBundlePath } from '../base/core/bundle-path.ts';
import { groupBy, sortedUnique } from '../base/core/collections.ts';
import { parseHeader } from '../base/core/generated-files.ts';
import { type Files, type FolderState, readSideFacts, type SideFacts } from './folder-state.ts';
import { BASENAME, type ServiceState, type ToolState } from './network-state.ts';
import { readClusterFacts } from './read-cluster-states.ts';
import { listAt, type ManifestLines, readManifestLines } from './read-manifest-lines.ts';
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

const SERVICE = 'spec.template.spec.service';

const entriesBelow = (lines: ManifestLines, prefix: string): readonly string[] =>
  [...lines].filter(([key]) => key.startsWith(prefix)).map(([key, value]) => `${key.slice(prefix.length)}=${value}`);

/** The entry points of Argo CD; `null` when there are none. */
function readArgo(files: Files): ToolState | null {
  if (!someIn(files, ['argocd'])) return null;
  const [set] = readManifestLines(files.get(printBundlePath({ part: 'argocd', file: 'applicationset' })) ?? '');
  const [project] = readManifestLines(files.get(printBundlePath({ part: 'argocd', file: 'appproject' })) ?? '');
  const lines: ManifestLines = set ?? new Map();
  const repository = joined(valuesAt([lines], /\.repoURL$/));
  const allowed = joined(project === undefined ? [] : listAt(project, 'spec.sourceRepos'));
  const elements = listElements(lines);
  return {
    source: {
      repository,
      revision: joined(valuesAt([lines], /\.targetRevision$|\.git\.revision$/)),
      path: joined([...foundFolders(lines), ...elements.map((it) => folderOfBundles(it.path, it.basename))]),
      project: lines.get('spec.template.spec.project') ?? null,
      namespace: lines.get('metadata.namespace') ?? null,
      source: null,
      sourceRepos: allowed === repository ? null : allowed,
    },
    destinations: elements.map((it) => [it.basename, destinationOf(lines, it)]),
    otherDestinations: destinationOf(lines, {
      basename: BASENAME,
      name: firstAt(lines, /\.git\.values\.name$/) ?? BASENAME,
      server: firstAt(lines, /\.git\.values\.server$/) ?? '',
    }),
    appliers: [{ cluster: null, object: `application/${lines.get('spec.template.metadata.name') ?? ''}` }],
  };
}

/** The entry points of Flux; `null` when there are none. */
function readFlux(files: Files): ToolState | null {
  if (!someIn(files, ['flux', 'flux-cluster'])) return null;
  const [source] = readManifestLines(files.get(printBundlePath({ part: 'flux-source', file: 'gitrepository' })) ?? '');
  const appliers = [...files].flatMap(([path, text]) => {
    const place = parseBundlePath(path);
    if (place?.part !== 'flux-cluster' || place.file === 'kustomization') return [];
    return [{ cluster: place.cluster, file: place.file, steps: readManifestLines(text) }];
  });
  const clusters = appliers.filter((it) => it.file === 'manifests');
  const all = clusters.flatMap((it) => it.steps);
  return {
    source: {
      repository: source?.get('spec.url') ?? null,
      revision: joined(
        [...(source ?? [])].flatMap(([key, it]) => (key.startsWith(REF) ? [`${key.slice(REF.length)} ${it}`] : [])),
      ),
      path: joined(
        clusters.flatMap(({ cluster, steps }) =>
          steps.flatMap((it) => folderOfBundles(it.get('spec.path') ?? '', cluster)),
        ),
      ),
      project: null,
      namespace: joined(valuesAt(all, /^metadata\.namespace$/)),
      source: joined(all.map(sourceRefOf)),
      sourceRepos: null,
    },
    destinations: clusters.map(({ cluster, steps }) => [
      cluster,
      joined(valuesAt(steps, /^spec\.kubeConfig\..*\bname$/)),
    ]),
    otherDestinations: null,
    appliers: appliers.flatMap(({ cluster, steps }) =>
      steps.map((it) => ({ cluster, object: `kustomization/${it.get('metadata.name') ?? ''}` })),
    ),
  };
}

/** True when there are such files. Folders of clusters, which are large, are skipped because they contain none. */
function someIn(files: Files, parts: readonly string[]): boolean {
  for (const path of files.keys())
    if (path.startsWith('_') && parts.includes(parseBundlePath(path)?.part ?? '')) return true;
  return false;
}

const REF = 'spec.ref.';

const sourceRefOf = (it: ManifestLines): string =>
  ['kind', 'namespace', 'name'].flatMap((field) => it.get(`spec.sourceRef.${field}`) ?? []).join(' ');

interface Listed {
  readonly basename: string;
  readonly name: string;
  readonly server: string;
}

/** The clusters in a list generator, each with its values. */
function listElements(lines: ManifestLines): readonly (Listed & { readonly path: string })[] {
  const elements = groupBy([...lines], ([key]) => {
    const element = /^spec\.generators\.\d+\.list\.elements\.\d+\./.exec(key)?.[0];
    return element === undefined ? [] : [element];
  });
  return [...elements].map(([element]) => ({
    path: lines.get(`${element}path.path`) ?? '',
    basename: lines.get(`${element}path.basename`) ?? '',
    name: lines.get(`${element}values.name`) ?? '',
    server: lines.get(`${element}values.server`) ?? '',
  }));
}

/** The folders whose subfolders are clusters, without the excluded ones. */
const foundFolders = (lines: ManifestLines): readonly string[] =>
  [...lines].flatMap(([key, path]) =>
    /\.git\.directories\.\d+\.path$/.test(key) && lines.get(key.replace(/path$/, 'exclude')) !== 'true'
      ? [folderOfBundles(path, '*')]
      : [],
  );

/**
 * The folder that contains those of clusters: `fleets/europe` for `./fleets/europe/rome/unordered` and `rome`; `.` for
 * the root of the repository.
 */
function folderOfBundles(path: string, folder: string): string {
  const parts = path.split('/').filter((it) => it !== '.' && it !== '');
  const at = parts.lastIndexOf(folder);
  return (at === -1 ? parts : parts.slice(0, at)).join('/') || '.';
}

/**
 * The destination of a cluster; `null` for the cluster with the folder's name in Argo CD. A destination is one of the
 * values, or the same for all.
 */
function destinationOf(lines: ManifestLines, it: Listed): string | null {
  const [name = '', server = ''] = ['name', 'server'].map((field) =>
    (lines.get(`spec.template.spec.destination.${field}`) ?? '')
      .replace('{{.values.name}}', () => it.name)
      .replace('{{.values.server}}', () => it.server)
      .replace(BASENAME, () => it.basename),
  );
  if (server !== '') return server;
  return name === it.basename ? null : name;
}

const valuesAt = (documents: readonly ManifestLines[], path: RegExp): readonly string[] =>
  documents.flatMap((it) => [...it].flatMap(([key, value]) => (path.test(key) ? [value] : [])));

const firstAt = (lines: ManifestLines, path: RegExp): string | undefined => valuesAt([lines], path)[0];

/** Joins values of several places, which are equal unless one was edited by hand. */
const joined = (values: readonly string[]): string | null => sortedUnique(values).join(' and ') || null;
