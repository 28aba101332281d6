import { diagnostic } from '../../diagnostics/diagnostic.ts';
import { startOf } from '../../source/source.ts';
import type { ExpectedCluster } from '../expectation.ts';
import { needsOwnTemplate, ownTemplateName } from '../expected/own-template.ts';
import { objectsIn, type ReadBundle } from '../read-bundle.ts';
import { gatewayRulesFile, isRemapped, nodeRulesFile, peerFile, type RebuiltCluster } from '../rebuild-network.ts';
import { type BundleCheck, type Evidence, missingPlace } from './bundle-check.ts';

/** Every file that the topology asks for is there, and none that it does not: least of all a path to somebody else. */
export const filesAreAskedFor: BundleCheck = function* (evidence) {
  const { bundle } = evidence;
  const wanted = wantedFiles(evidence);
  for (const [path, span] of wanted) {
    if (bundle.sources.has(path)) continue;
    yield diagnostic(
      'verify/missing-file',
      missingPlace(bundle, path),
      'the topology asks for this file, and it is not there',
      {
        hint: 'run weft compile to write it again',
        related: [{ message: 'this asks for it', span }],
      },
    );
  }
  const told = new Set<string>();
  for (const [path, source] of bundle.sources) {
    if (wanted.has(path) || !matters(path)) continue;
    const unasked = unaskedPath(path, evidence);
    if (unasked === undefined) {
      yield diagnostic('verify/foreign-file', startOf(source), 'the topology does not ask for this file', {
        hint: 'remove it, or keep it outside the folders that weft writes',
      });
    } else if (!told.has(unasked)) {
      told.add(unasked);
      yield diagnostic('verify/unasked-path', startOf(source), unasked, {
        hint: 'remove the files, or link the two in the topology',
      });
    }
  }
};

/**
 * Beside what weft writes somebody may keep notes. What a tool could apply or a program could read as ours may not lie
 * there, and above `out/`'s folders is none of weft's business.
 */
const matters = (path: string): boolean =>
  path.includes('/') && /\.(ya?ml|json|nft)$/.test(path) && !path.startsWith('.');

/** What is compiled here that nobody asked for; `undefined` for a file that leads nowhere. */
function unaskedPath(path: string, { expected }: Evidence): string | undefined {
  const [folder = '', ...rest] = path.split('/');
  if (folder.startsWith('_')) return undefined;
  const cluster = expected.clusters.get(folder);
  if (!cluster) return `this is a bundle of "${folder}", and the topology has no such cluster`;
  const peer = peerNamedBy(rest.join('/'));
  if (peer === undefined || (cluster.ends.has(peer) && !cluster.retired)) return undefined;
  return `this is a path from "${folder}" to "${peer}", and the topology does not link them`;
}

function peerNamedBy(path: string): string | undefined {
  return /^(?:peers\/([^/]+)\/|nftables\/(?:nodes\/)?([^/]+)\.nft$)/
    .exec(path)
    ?.slice(1)
    .find((it) => it !== undefined);
}

/** Path to the text of the topology that asks for it. */
function wantedFiles({ expected, bundle, network }: Evidence) {
  const wanted = new Map(['addresses.json', ...expected.entryPoints].map((path) => [path, expected.at]));
  for (const cluster of network.values()) {
    const put = (path: string, span = cluster.expected.at): void => void wanted.set(`${cluster.name}/${path}`, span);
    put('kustomization.yaml');
    if (cluster.expected.retired) continue;
    put('helm-values.yaml');
    put('expected/networks.yaml');
    for (const { peer, link } of cluster.expected.ends.values()) {
      put(`peers/${peer}/kustomization.yaml`, link.at);
      for (const file of [peerFile, gatewayRulesFile, nodeRulesFile]) wanted.set(file(cluster.name, peer), link.at);
    }
    if (cluster.expected.ends.size > 0) {
      put('expected/configurations.yaml');
      if (!expected.emitConnections) put('expected/connections.yaml');
    }
    for (const path of shortcutFiles(cluster.expected, bundle)) put(path);
    for (const path of templateFiles(cluster)) put(path);
    if (expected.hasFlux && [...cluster.peers.values()].some(isRemapped)) put('unordered/kustomization.yaml');
  }
  return wanted;
}

/** The names of shortcut files are the compiler's choice; `shortcuts-agree` proves that each stands for one shortcut. */
function shortcutFiles({ name, shortcuts }: ExpectedCluster, bundle: ReadBundle): readonly string[] {
  if (shortcuts.length === 0) return [];
  const start = `${name}/`;
  const there = objectsIn(bundle, `${start}shortcuts`).filter(([, objects]) =>
    objects.every((it) => it.kind === 'ForeignClusterConnection'),
  );
  const kept = ['shortcuts/kustomization.yaml', 'expected/foreignclusterconnections.yaml'];
  return [...kept, ...there.map(([path]) => path.slice(start.length))];
}

/** Templates of weft's own, one a role, for the gateways that the chart's do not fit. */
function templateFiles({ peers, expected }: RebuiltCluster): readonly string[] {
  const needed = new Set(
    [...expected.ends.values()]
      .filter((end) => needsOwnTemplate(end, expected.declared, peers.get(end.peer)?.endpoint.servicePort ?? ''))
      .map((end) => `${ownTemplateName(end.role)}.yaml`),
  );
  return needed.size === 0 ? [] : ['kustomization.yaml', ...needed].map((it) => `gateway-templates/${it}`);
}
