import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { prCommand } from '../../../src/host/cli/commands/pr.ts';
import { dump, KEYS, TOPOLOGY, tenant } from '../../live/identities/tenants.ts';
import { keySecret, secretsDump } from '../../live/public-keys/key-secrets.ts';
import { gitFolder } from '../../support/git-folder.ts';
import { memoryHost, workspace } from '../cli/memory-host.ts';
import { optionsFor } from '../cli/options-for.ts';
import { forgeOnGitHub } from './forge-on-github.ts';

const KEYS_FILE = 'topologies/topology.keys.yaml';
const IDENTITIES = 'topologies/topology.identities.yaml';
const FILES = { 'topologies/topology.yaml': TOPOLOGY, 'topologies/topology.keys.yaml': KEYS };

/** A checkout in which a job collects answers, with the GitHub that it is from. */
async function job() {
  const it = workspace({ ...FILES, 'event.json': '{}' });
  const { init, commit } = gitFolder(it.folder);
  init();
  commit();
  const github = await forgeOnGitHub(FILES);
  const open = async () => {
    const env = {
      GITHUB_WORKSPACE: it.folder,
      GITHUB_REPOSITORY: 'acme/fleet',
      GITHUB_TOKEN: 'ghs_0123456789secret',
      GITHUB_EVENT_PATH: join(it.folder, 'event.json'),
      GITHUB_REF: 'refs/heads/main',
    };
    const { host, said } = memoryHost(it.folder, { env });
    const code = await prCommand(host, { args: ['open'], options: optionsFor('pr', {}) }, github.connect);
    return { code, ...said() };
  };
  const collect = (...tenants: readonly object[]) => {
    it.write('milan.json', dump(...tenants));
    return it.weft('identities', 'collect', 'milan=milan.json');
  };
  return { ...it, github, open, collect };
}

describe('weft pr open after weft identities collect', () => {
  it('proposes the answers together with the Identities that are made of them', async () => {
    const { open, collect, read, github } = await job();
    // The first half of the handshake: Tenants, and no answer yet.
    expect((await open()).code).toBe(0);
    const first = github.filesOf('weft/europe');
    expect(first[IDENTITIES]).toBe(undefined);
    expect(first['out/milan/sharing/rome.yaml']).toContain('kind: Tenant');
    // The second half, by a bot: no person touches a file.
    expect((await collect(tenant())).code).toBe(0);
    expect((await open()).code).toBe(0);
    const second = github.filesOf('weft/europe');
    expect(second[IDENTITIES]).toBe(read(IDENTITIES));
    expect(second['out/rome/sharing/milan.yaml']).toContain('kind: Identity');
    expect((await open()).stderr).toContain('nothing new');
  });

  it('does not overwrite answers that were merged meanwhile', async () => {
    const { open, collect, github } = await job();
    await collect(tenant());
    await github.pushForeign('main', { [IDENTITIES]: 'version: 1\nidentities: {}\n' });
    const { stderr } = await open();
    expect(stderr).toMatch(/identities.yaml differs between "main" and this checkout, so nothing is sent/);
    expect(github.fake.pulls).toEqual([]);
  });
});

describe('weft pr open after weft keys collect', () => {
  it('proposes the keys together with the PublicKeys that are made of them', async () => {
    const it = await job();
    it.write('milan.json', secretsDump(keySecret('rome')));
    expect((await it.weft('keys', 'collect', '--live', 'milan=milan.json')).code).toBe(0);
    expect((await it.open()).code).toBe(0);
    const proposed = it.github.filesOf('weft/europe');
    expect(proposed[KEYS_FILE]).toBe(it.read(KEYS_FILE));
    const [, key = ''] = /"rome": \{ key: "(.*?)"/.exec(it.read(KEYS_FILE)) ?? [];
    expect(proposed['out/rome/peers/milan/milan.yaml']).toContain(key);
    expect((await it.open()).stderr).toContain('nothing new');
  });
});
