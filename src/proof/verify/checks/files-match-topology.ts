import { groupBy, sortedUnique } from '../../../base/core/collections.ts';
import { folderOf } from '../../../base/core/folder-files.ts';
import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { type Span, startOf } from '../../../base/source/source.ts';
import type { ExpectedCluster } from '../expectation.ts';
import { expectPolicies } from '../expected/expect-boundaries.ts';
import { needsOwnTemplate, ownTemplateName } from '../expected/own-template.ts';
import { objectsIn, type ReadBundle } from '../read-bundle.ts';
import { gatewayRulesFile, nodeRulesFile, peerFile, type RebuiltCluster } from '../rebuild-network.ts';
import { sharedAndResultFiles } from '../sharing/shared-files.ts';
import { type CheckContext, type FleetCheck, missingPlace } from './bundle-check.ts';

/**
 * The bundle contains every file that the topology requires and no others, above all no file that connects two unlinked
 * clusters.
 */
export const filesMatchTopology: FleetCheck = function* (context) {
  const { bundle, network } = context;
  const others = groupBy([...otherFiles(context)], ([path]) => [folderOf(path)]);
  // One folder at a time: the paths of all files together would take more memory than everything else here.
  for (const top of sortedUnique([...bundle.tops, ...network.keys(), ...others.keys()])) {
    const cluster = network.get(top);
    const wanted = new Map([...(cluster ? filesOf(cluster, context) : []), ...(others.get(top) ?? [])]);
    yield* missingFiles(bundle, wanted);
    yield* foreignFiles(context, top, wanted);
  }
};

/** A path, and the place in the topology that requires the file. */
type WantedFile = readonly [path: string, at: Span];

function* missingFiles(bundle: ReadBundle, wanted: ReadonlyMap<string, Span>): Iterable<Diagnostic> {
  for (const [path, span] of wanted) {
    if (bundle.sources.has(path)) continue;
    yield diagnostic(
      'verify/missing-file',
      missingPlace(bundle, path),
      'the topology requires this file, but it is missing',
      {
        hint: 'run "weft compile" to write it again',
        related: [{ message: 'required here', span }],
      },
    );
  }
}

function* foreignFiles(context: CheckContext, top: string, wanted: ReadonlyMap<string, Span>): Iterable<Diagnostic> {
  const { bundle } = context;
  const reported = new Set<string>();
  for (const path of bundle.below(top)) {
    if (wanted.has(path) || !matters(path)) continue;
    const source = bundle.sources.get(path);
    if (source === undefined) continue;
    const problem = foreignPath(path, context);
    if (problem === undefined) {
      yield diagnostic('verify/foreign-file', startOf(source), 'the topology does not require this file', {
        hint: 'remove it, or move it out of the folders that weft writes',
      });
    } else if (!reported.has(problem)) {
      reported.add(problem);
      yield diagnostic('verify/unasked-path', startOf(source), problem, {
        hint: 'remove the files, or link the two in the topology',
      });
    }
  }
}

/**
 * True for a file that is checked. Users may keep notes in the folders, but no file that a tool could apply or a
 * program could read as one of the bundle. Files directly in `out/` are not checked.
 */
const matters = (path: string): boolean =>
  path.includes('/') && /\.(ya?ml|json|nft)$/.test(path) && !path.startsWith('.');

/** The error about a file for a cluster or link that the topology does not contain; `undefined` for other files. */
function foreignPath(path: string, { expected }: CheckContext): string | undefined {
  const [folder = '', ...rest] = path.split('/');
  if (folder.startsWith('_')) return undefined;
  const cluster = expected.clusters.get(folder);
  if (!cluster) return `this is a bundle of "${folder}", but the topology has no such cluster`;
  const peer = peerNamedBy(rest.join('/'));
  if (peer === undefined || (cluster.ends.has(peer) && !cluster.retired)) return undefined;
  return `this is a path from "${folder}" to "${peer}", but the topology does not link them`;
}

function peerNamedBy(path: string): string | undefined {
  return /^(?:peers\/([^/]+)\/|nftables\/(?:nodes\/)?([^/]+)\.nft$)/
    .exec(path)
    ?.slice(1)
    .find((it) => it !== undefined);
}

/** Files of one cluster alone, or of one of its links. */
function* filesOf(cluster: RebuiltCluster, { expected, bundle }: CheckContext): Iterable<WantedFile> {
  const { name, expected: own } = cluster;
  const inFolder = (paths: readonly string[]): readonly WantedFile[] => paths.map((it) => [`${name}/${it}`, own.at]);
  yield* inFolder(['kustomization.yaml', ...alertFiles(cluster)]);
  if (expected.hasFlux) yield* inFolder(['unordered/kustomization.yaml']);
  if (own.retired) return;
  yield* inFolder(['helm-values.yaml', 'expected/networks.yaml']);
  if (expected.declaration.conformance) yield* inFolder(['conformance/prober.yaml', 'conformance/kustomization.yaml']);
  const policies = [...(expectPolicies(expected).get(name)?.keys() ?? [])];
  if (policies.length > 0) yield* inFolder(['kustomization', ...policies].map((it) => `boundaries/${it}.yaml`));
  for (const { peer, link } of own.ends.values()) {
    yield [`${name}/peers/${peer}/kustomization.yaml`, link.at];
    for (const file of [peerFile, gatewayRulesFile, nodeRulesFile]) yield [file(name, peer), link.at];
  }
  if (own.ends.size > 0) {
    yield* inFolder(['expected/configurations.yaml']);
    if (!expected.emitConnections) yield* inFolder(['expected/connections.yaml']);
  }
  yield* inFolder([...shortcutFiles(own, bundle), ...templateFiles(cluster)]);
}

function* otherFiles({ expected }: CheckContext): Iterable<WantedFile> {
  for (const path of ['addresses.json', ...expected.entryPoints]) yield [path, expected.at];
  for (const { path, at } of sharedAndResultFiles(expected)) {
    yield [path, at];
    if (!path.includes('/expected/')) yield [path.replace(/[^/]+$/, 'kustomization.yaml'), at];
  }
}

/**
 * The files with alerts. A retired cluster has no peer, and keeps the kustomization, so that a GitOps tool prunes its
 * alerts.
 */
function alertFiles({ expected }: RebuiltCluster): readonly string[] {
  if (expected.declared.monitoring === null) return [];
  const peers = expected.retired ? [] : [...expected.ends.keys()];
  return ['kustomization', ...peers].map((it) => `monitoring/${it}.yaml`);
}

/** The compiler chooses the names of shortcut files; `shortcuts-agree` proves that each belongs to one shortcut. */
function shortcutFiles({ name, shortcuts }: ExpectedCluster, bundle: ReadBundle): readonly string[] {
  if (shortcuts.length === 0) return [];
  const start = `${name}/`;
  const there = objectsIn(bundle, `${start}shortcuts`).filter(([, objects]) =>
    objects.every((it) => it.kind === 'ForeignClusterConnection'),
  );
  const kept = ['shortcuts/kustomization.yaml', 'expected/foreignclusterconnections.yaml'];
  return [...kept, ...there.map(([path]) => path.slice(start.length))];
}

/**
 * weft's own templates for gateways that need more than the chart's: one per role, and one per link with settings of
 * its own.
 */
function templateFiles({ peers, expected }: RebuiltCluster): readonly string[] {
  const needed = new Set(
    [...expected.ends.values()]
      .filter((end) => needsOwnTemplate(end, expected.declared, peers.get(end.peer)?.endpoint.servicePort ?? ''))
      .map((end) => `${ownTemplateName(end, expected.declared)}.yaml`),
  );
  return needed.size === 0 ? [] : ['kustomization.yaml', ...needed].map((it) => `gateway-templates/${it}`);
}
