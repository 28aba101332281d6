import { expect, it } from 'vitest';
import { compile } from '../../../src/compile.ts';
import { recreatedViews } from '../../../src/host/app/view-cluster.ts';
import { readVector } from '../../support/vectors.ts';

const FLEET = 'live/overlap/1.2';

interface Live {
  readonly items: readonly {
    readonly kind: string;
    readonly metadata: { readonly name: string };
    readonly status?: { readonly remote?: { readonly cidr: { readonly pod: string[]; readonly external: string[] } } };
  }[];
}

/** The networks that a recorded cluster uses for its peer `b`, pods first. */
function seenOfB(file: string): readonly string[] {
  const { items } = JSON.parse(readVector(`${FLEET}/after/${file}`)) as Live;
  const cidr = items.find((one) => one.kind === 'Configuration' && one.metadata.name === 'b')?.status?.remote?.cidr;
  if (cidr === undefined) throw new Error(`${file} has no Configuration of "b" with a status`);
  return [...cidr.pod, ...cidr.external];
}

it('a Configuration that is created again gets what a real IPAM gave it', () => {
  const source = (name: string) => ({ path: name, text: readVector(`${FLEET}/${name}`) });
  const sources = {
    topology: source('topology.yaml'),
    keys: source('topology.keys.yaml'),
    lock: source('topology.lock.yaml'),
  };
  const compiled = compile(sources, { relock: [], only: null });
  if (!compiled.ok) throw new Error(compiled.diagnostics[0]?.message);
  const files = {
    topology: 'topology.yaml',
    keys: 'topology.keys.yaml',
    identities: 'topology.identities.yaml',
    lock: 'topology.lock.yaml',
    byDefault: false,
  };
  const topology = {
    kind: 'compiled',
    files,
    diagnostics: [],
    verdicts: [],
    sources,
    compiled: compiled.value,
  } as const;
  const { views } = recreatedViews(topology, 'hub', 'b');
  expect(views.map((view) => view.seenAs)).toEqual(seenOfB('hub.del.json'));
  expect(views.map((view) => view.recreatedAs)).toEqual(seenOfB('hub.del2.json'));
});
