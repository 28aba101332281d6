import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../../src/host/cli/command-table.ts';
import { FORGE_KINDS, forgeOfCi } from '../../../../src/host/front/host.ts';
import { chooseForge, isWebAddress, parseRemote } from '../../../../src/host/front/pull-request/forge-kind.ts';

const GITHUB = { GITHUB_ACTIONS: 'true' };
const GITEA = { ...GITHUB, GITEA_ACTIONS: 'true' };
const FORGEJO = { ...GITEA, FORGEJO_ACTIONS: 'true' };

const choose = (given: string | undefined, env: object, url?: string): Promise<string> =>
  chooseForge({ given, env: { ...env }, origin: async () => url });

describe('the forge of a run', () => {
  it('is the one whose CI runs it, although each also calls itself like those before it', () => {
    expect([{}, GITHUB, GITEA, FORGEJO].map(forgeOfCi)).toEqual([undefined, 'github', 'gitea', 'forgejo']);
  });

  it.each([
    ['a flag, before anything else', 'gitea', GITHUB, 'git@github.com:a/b', 'gitea'],
    ['the CI, before the clone', undefined, GITEA, 'https://github.com/a/b', 'gitea'],
    ['a clone of GitHub', undefined, {}, 'git@github.com:a/b.git', 'github'],
    ['a clone of Codeberg', undefined, {}, 'ssh://git@codeberg.org/a/b.git', 'forgejo'],
    ['a server that is called Forgejo', undefined, {}, 'https://forgejo.example.com/a/b', 'forgejo'],
    ['a server that is called Gitea', undefined, {}, 'https://gitea.example.com:3000/a/b', 'gitea'],
    ['a server that says nothing', undefined, {}, 'https://git.example.com/gitea/b', 'github'],
    ['a clone of a folder', undefined, {}, '/srv/gitea/b.git', 'github'],
    ['no clone', undefined, {}, undefined, 'github'],
  ])('is known by %s', async (_, given, env, url, kind) => {
    expect(await choose(given, env, url)).toBe(kind);
  });

  it('asks git only when nothing else decides', async () => {
    const origin = async (): Promise<string> => {
      throw new Error('git was asked');
    };
    expect(await chooseForge({ given: 'forgejo', env: {}, origin })).toBe('forgejo');
    expect(await chooseForge({ given: undefined, env: GITHUB, origin })).toBe('github');
  });

  it('is refused with its name when weft does not know it', async () => {
    await expect(choose('bitbucket', {})).rejects.toMatchObject({
      message: '"bitbucket" is not a forge',
      hint: expect.stringContaining('gitea'),
    });
  });

  it.each(COMMANDS.filter(({ options }) => options.some(({ long }) => long === 'forge')))(
    'is an option of weft $name with these values',
    ({ options }) => {
      expect(options.find(({ long }) => long === 'forge')).toMatchObject({ values: FORGE_KINDS });
    },
  );
});

describe('the address of a clone', () => {
  it.each([
    ['https://git.example.com/acme/fleet.git', 'git.example.com', 'https://git.example.com', 'acme/fleet'],
    [
      'https://bot:s3cret@git.example.com:8443/acme/fleet',
      'git.example.com:8443',
      'https://git.example.com:8443',
      'acme/fleet',
    ],
    ['http://localhost:3000/git/acme/fleet.git/', 'localhost:3000', 'http://localhost:3000', 'git/acme/fleet'],
    ['git@git.example.com:acme/fleet.git', 'git.example.com', 'https://git.example.com', 'acme/fleet'],
    ['ssh://git@git.example.com:2222/acme/fleet.git', 'git.example.com', 'https://git.example.com', 'acme/fleet'],
    ['git+ssh://git@git.example.com/group/sub/fleet', 'git.example.com', 'https://git.example.com', 'group/sub/fleet'],
  ])('%s', (url, host, origin, path) => {
    expect(parseRemote(url)).toEqual({ host, origin, path });
  });

  it.each(['', '/srv/git/fleet.git', '../fleet', 'file:///srv/fleet.git', 'C:\\git\\fleet', 'C:/git/fleet', 'fleet'])(
    'is none: "%s"',
    (url) => {
      expect(parseRemote(url)).toBeUndefined();
    },
  );

  it('of a server is one of the web', () => {
    expect(['https://a.example', 'http://a/b', 'a.example', 'ssh://a', ''].filter(isWebAddress)).toEqual([
      'https://a.example',
      'http://a/b',
    ]);
  });
});
