import { isKustomization, parseBundlePath, printBundlePath } from '../base/core/bundle-path.ts';
import { parseHeader } from '../base/core/header.ts';
import type { FolderState, SideFacts } from './folder-state.ts';
import { readClusterFacts } from './read-cluster-states.ts';
import { readArgo, readFlux } from './read-entry-points.ts';
import { readManifestLines } from './read-manifest-lines.ts';
import { readServiceState, ServiceTemplates } from './read-service-state.ts';
import { readOffloadings, readShares } from './read-sharing-state.ts';
import { readSideFacts } from './read-side-facts.ts';
import type { Files } from './state-texts.ts';

/** @param files all files of that folder, by their whole path */
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
 * A copy. V8 keeps a whole text in memory for any part of it that is 13 characters or longer, and a fleet has hundreds of
 * megabytes of texts.
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

/** What the first list of other files has in its header; `undefined` without such a list. */
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
