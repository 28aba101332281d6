import type { Proposal } from '../../../src/host/forge/propose-manifests.ts';

const RECORD = 'out/.weft/record';
const LOCK = 'topologies/topology.lock.yaml';

/** A proposal of some files below `out/`, with the record that lists them and a lock. */
export function proposal(files: Readonly<Record<string, string>>, more: Partial<Proposal> = {}): Proposal {
  const out = Object.entries(files).map(([path, text]) => [`out/${path}`, text] as const);
  return {
    base: 'main',
    branch: 'weft/europe',
    wanted: {
      files: new Map([
        ...out,
        [RECORD, JSON.stringify(out.map(([path]) => path))],
        [LOCK, `lock of ${Object.keys(files)}`],
      ]),
      records: {
        folder: 'out/.weft',
        list: (name, text) => (name === 'record' ? JSON.parse(text || '[]') : undefined),
      },
      keep: new Set(),
    },
    inputs: new Map(),
    title: 'Manifests of europe',
    body: `plan of ${Object.keys(files)}`,
    message: 'Compile europe',
    digest: 'a'.repeat(64),
    source: 'topologies/topology.yaml',
    isOtherTopology: () => true,
    closingComment: 'Nothing is left to do.',
    force: false,
    isDraft: false,
    details: { labels: [], assignees: [], people: [], teams: [] },
    signsOff: false,
    deletesBranch: false,
    ...more,
  };
}

/** The files that a proposal leaves on its branch. */
export const committed = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries([...proposal(files).wanted.files].map(([path, text]) => [path, text ?? '']));
