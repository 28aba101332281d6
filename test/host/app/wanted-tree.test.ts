import { describe, expect, it } from 'vitest';
import { compileTopology, type ReadyTopology } from '../../../src/host/app/compile-topology.ts';
import { type WantedPlan, wantedTree } from '../../../src/host/app/manifests.ts';
import type { Checkout } from '../../../src/host/disk/repository.ts';
import { TOPOLOGY } from '../cli/memory-host.ts';
import { memoryPorts } from './memory-ports.ts';

const TOPOLOGY_PATH = 'topologies/topology.yaml';

const CHECKOUT: Checkout = {
  root: '/fleet',
  pathInRepository: (path) => path,
  hasFile: () => false,
  rawText: async () => null,
};

/** A planned pull request whose lock is at a path. */
async function planned(lock: string | undefined): Promise<WantedPlan> {
  const { files } = memoryPorts({ [TOPOLOGY_PATH]: TOPOLOGY });
  const topology = await compileTopology(files, { topology: undefined, lock }, { only: null });
  if (topology.kind !== 'compiled') throw new Error(topology.kind);
  return { topology, out: 'out', tree: treeOf(topology) };
}

const treeOf = ({ compiled }: ReadyTopology): WantedPlan['tree'] => ({
  kind: 'possible',
  placements: [],
  stagedFolders: new Map(),
  removals: ['turin/kustomization.yaml'],
  keptEdited: [],
  unchanged: compiled.bundle.size,
  folders: [],
  removalsComeFirst: false,
  records: new Map([
    ['.weft/rome.sha256', 'rows\n'],
    ['.weft/turin.sha256', null],
  ]),
  stagedRecords: new Map(),
  changedRecords: ['.weft/rome.sha256', '.weft/turin.sha256'],
  lockChanged: true,
  journal: null,
});

const HERE = { isElsewhere: false, collected: [] };

describe('the files of a pull request', () => {
  it('are bundles, records, lock and removals, by their paths in the repository', async () => {
    const pull = await planned(undefined);
    const { files } = wantedTree(pull, CHECKOUT, HERE);
    expect(files.size).toBe(pull.topology.compiled.bundle.size + 4);
    expect(files.get('topologies/topology.lock.yaml')).toBe(pull.topology.compiled.lock);
    expect(files.get('out/.weft/rome.sha256')).toBe('rows\n');
    expect(files.get('out/.weft/turin.sha256')).toBeNull();
    expect(files.get('out/turin/kustomization.yaml')).toBeNull();
  });

  it('do not contain the lock when they go to another repository', async () => {
    const { files } = wantedTree(await planned('out/addresses.json'), CHECKOUT, { ...HERE, isElsewhere: true });
    expect(files.get('out/addresses.json')).toContain('"gateways"');
  });

  it.each(['out/addresses.json', 'out/.weft/rome.sha256', 'out/turin/kustomization.yaml'])(
    'are never two at one path: %s',
    async (lock) => {
      const pull = await planned(lock);
      expect(() => wantedTree(pull, CHECKOUT, HERE)).toThrow(`two files of the pull request have the path ${lock}`);
    },
  );
});
