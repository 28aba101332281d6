import type { Sources } from '../../../compile.ts';

/** The files of a fleet that people edit; an empty text is a missing file. */
export interface Drafts {
  readonly topology: string;
  readonly keys: string;
  readonly identities: string;
}

export const DRAFT_FILES = {
  topology: 'topology.yaml',
  keys: 'topology.keys.yaml',
  identities: 'topology.identities.yaml',
} as const satisfies Readonly<Record<keyof Drafts, string>>;

export const LOCK_FILE = 'topology.lock.yaml';

/** The folder of these files in a repository, and the folder of the bundles. */
export const TOPOLOGY_FOLDER = 'topologies';
export const OUT = 'out';

/** Drafts with the lock of earlier decisions; `null` to decide everything again. */
export interface LockedDrafts {
  readonly drafts: Drafts;
  readonly lock: string | null;
}

/** A fleet to start from. */
interface Example extends LockedDrafts {
  readonly name: string;
  readonly title: string;
}

/** The data of the playground. */
export interface PlayData {
  readonly weft: string;
  readonly examples: readonly Example[];
}

/** Sources as the compiler reads them. A text that did not change is the same source. */
export function draftSources({ drafts, lock }: LockedDrafts): Sources {
  const source = (path: string, text: string | null) => (text === null || text === '' ? undefined : { path, text });
  return {
    topology: { path: DRAFT_FILES.topology, text: drafts.topology },
    keys: source(DRAFT_FILES.keys, drafts.keys),
    identities: source(DRAFT_FILES.identities, drafts.identities),
    lock: source(LOCK_FILE, lock),
  };
}
