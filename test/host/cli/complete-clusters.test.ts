import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { drawn, RUNS_ALL } from '../../support/drawn.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';
import { isMissing, offered } from './shells.ts';

const FLEET = { 'topologies/topology.yaml': TOPOLOGY, 'other/asia.yaml': TOPOLOGY.replaceAll('rome', 'tokyo') };

/** Each line, and the clusters that are offered for its last word. */
const LINES: readonly (readonly [line: string, names: readonly string[]])[] = [
  ['weft view ', ['europe', 'forecast', 'links', 'milan', 'rome']],
  ['weft view links ', ['europe', 'milan', 'rome']],
  ['weft view other/asia.yaml li', ['links']],
  ['weft view ro', ['rome']],
  ['weft view rome m', ['milan']],
  ['weft view other/asia.yaml to', ['tokyo']],
  ['weft trace rome e', ['europe']],
  ['weft ports m', ['milan']],
  ['weft trace other/asia.yaml to', ['tokyo']],
  ['weft trace rome milan --through e', ['europe']],
  ['weft whois 10.81.3.7 --in r', ['rome']],
  ['weft translate --in europe --for m', ['milan']],
  ['weft compile --cluster ro', ['rome']],
  ['weft compile --cluster=ro', ['rome']],
  ['weft compile --out x --cluster rome --cluster m', ['milan']],
  ['weft compile other/asia.yaml --cluster to', ['tokyo']],
  ['weft compile --relock ', ['all', 'europe', 'milan', 'rome']],
  ['weft compile --relock rome/m', ['rome/milan']],
  ['weft compile --relock rome/', ['rome/europe', 'rome/milan']],
  ['weft plan --relock r', ['rome']],
  ['weft keys generate --cluster r', ['rome']],
];

/** fish repeats the option in front of an equals sign, and adds folders, where a topology may be. */
const clustersAmong = (words: readonly string[]): readonly string[] =>
  [...new Set(words.map((it) => it.replace(/^--\w+=/, '')))].filter((it) => !it.endsWith('/')).sort();

describe.each(['bash', 'fish', 'zsh'] as const)('completion of clusters in %s', (shell) => {
  // Each shell has its own script, but every line leads to one `weft completion clusters`.
  const lines = drawn(LINES, ([line]) => line.includes('='));
  it.skipIf(isMissing(shell)).each(lines)(`offers for "%s" %j (skipped without ${shell})`, async (line, names) => {
    const words = await offered(shell, line, workspace(FLEET));
    expect(clustersAmong(words)).toEqual(names);
  });

  it.skipIf(isMissing(shell))(`offers none where the topology is broken (skipped without ${shell})`, async () => {
    const broken = workspace({ 'topologies/topology.yaml': 'clusters: { rome: {}' });
    expect(await offered(shell, 'weft compile --cluster ', broken)).toEqual([]);
    if (RUNS_ALL) expect(await offered(shell, 'weft compile --cluster ', workspace())).toEqual([]);
  });

  it.skipIf(isMissing(shell))(`runs no name of a cluster (skipped without ${shell})`, async () => {
    const names = ['$(touch owned)', '`touch owned`', 'rome;touch owned', '*', "it's", 'rome'];
    const hostile = workspace({
      'topologies/topology.yaml': `clusters:\n${names.map((it) => `  ${JSON.stringify(it)}: {}\n`).join('')}`,
    });
    expect(await offered(shell, 'weft compile --cluster ', hostile)).toEqual(['rome']);
  });
});

describe.each(['bash', 'fish', 'zsh'] as const)('completion of contexts in %s', (shell) => {
  const names = ['admin@rome', 'arn:aws:eks:eu-west-1:1:cluster/milan', '$(touch owned)', 'a b', 'rome'];
  const fleet = () => {
    const it = workspace({ ...FLEET, '.bin/kubectl': `#!/bin/sh\ncat <<'E'\n${names.join('\n')}\nE\n` });
    chmodSync(join(it.folder, '.bin/kubectl'), 0o755);
    return it;
  };

  it.skipIf(isMissing(shell))(`offers those of kubectl, and runs none of them (skipped without ${shell})`, async () => {
    expect((await offered(shell, 'weft drift --context ', fleet())).toSorted()).toEqual(
      [names[0], names[1], names[4]].toSorted(),
    );
    expect(await offered(shell, 'weft trace rome milan --context ro', fleet())).toEqual(['rome']);
    const [rest = ''] = await offered(shell, 'weft view --context arn:aws:e', fleet());
    expect(names[1]).toMatch(new RegExp(`${rest}$`));
    expect(rest).toMatch(/eks:eu-west-1:1:cluster\/milan$/);
  });

  it.skipIf(isMissing(shell))(`offers none without kubectl (skipped without ${shell})`, async () => {
    const it = workspace({ ...FLEET, '.bin/kubectl': '#!/bin/sh\necho no >&2\nexit 1\n' });
    chmodSync(join(it.folder, '.bin/kubectl'), 0o755);
    expect(await offered(shell, 'weft drift --context ', it)).toEqual([]);
  });
});

describe('weft completion clusters', () => {
  it('says the names of the default topology, or of the one among the words', async () => {
    const { weft } = workspace(FLEET);
    expect(await weft('completion', 'clusters')).toEqual({ code: 0, stdout: 'europe\nrome\nmilan\n', stderr: '' });
    const { stdout } = await weft('completion', 'clusters', '--', 'view', '--lock', 'a.yaml', 'other/asia.yaml');
    expect(stdout).toBe('links\nforecast\neurope\ntokyo\nmilan\n');
  });

  it('says the names in included files, too, as far as they can be read', async () => {
    const { weft } = workspace({
      'topologies/topology.yaml': `${TOPOLOGY}include: [regions/]\n`,
      'topologies/regions/asia.yaml': 'clusters: { tokyo: {} }\n',
      'topologies/regions/broken.yaml': 'clusters: {\n',
    });
    expect((await weft('completion', 'clusters')).stdout).toBe('europe\nrome\nmilan\ntokyo\n');
  });

  it.each([
    ['there is no topology', {}],
    ['it is not YAML', { 'topologies/topology.yaml': 'clusters: {' }],
    ['clusters are a list', { 'topologies/topology.yaml': 'clusters: [rome]\n' }],
    ['there are several', { 'topologies/a.yaml': TOPOLOGY, 'topologies/b.yaml': TOPOLOGY }],
  ])('says nothing where %s', async (_, files) => {
    expect(await workspace(files).weft('completion', 'clusters')).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('reads a topology without checking it', async () => {
    const { weft } = workspace({ 'topologies/topology.yaml': 'clusters: { rome: { podCIDR: ? }, milan: 1 }\n' });
    expect((await weft('completion', 'clusters')).code).toBe(0);
  });

  it('takes words for nothing else', async () => {
    expect(await workspace().weft('completion', 'bash', 'view')).toMatchObject({ code: 2, stdout: '' });
  });
});
