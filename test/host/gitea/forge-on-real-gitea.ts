import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Forge } from '../../../src/host/forge/forge.ts';
import { openGitea } from '../../../src/host/gitea/open-gitea.ts';
import { checkedFetch, type Exchange } from '../fake-gitea/checked-fetch.ts';
import type { RepositoryTools } from '../fake-github/repository-tools.ts';
import { virtualClock } from '../fake-github/virtual-clock.ts';
import { watched } from '../github/forge-on-github.ts';
import type { RealGitea } from './real-gitea.ts';

interface RealPull {
  readonly number: number;
  readonly state: 'open' | 'closed';
  readonly title: string;
  readonly labels: readonly { readonly name: string }[];
}

interface RealComment {
  readonly body: string;
  readonly pull_request_url: string;
}

const open = new Set<string>();

/**
 * The counterpart of `forgeOnGitHub` in a new repository of a real server. Its requests, and the answers, are checked
 * by the description.
 */
export async function forgeOnRealGitea(
  real: RealGitea,
  files: Readonly<Record<string, string>>,
  seen: Exchange[] = [],
) {
  const name = open.has('fleet') ? `fleet-${open.size + 1}` : 'fleet';
  open.add(name);
  const path = `/repos/acme/${name}`;
  real.call('boss', 'POST', '/orgs/acme/repos', { name, default_branch: 'main' });
  for (const login of ['weft', 'ada'])
    real.call('boss', 'PUT', `${path}/collaborators/${login}`, { permission: 'write' });
  const clone = mkdtempSync(join(tmpdir(), 'weft-clone-'));
  const git = (...args: readonly string[]): string => {
    const who = ['-c', 'user.name=Somebody Else', '-c', 'user.email=somebody@example.com'];
    return execFileSync('git', [...who, ...args], {
      cwd: clone,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  };
  const push = (branch: string, edits: Readonly<Record<string, string | null>>): string => {
    for (const [file, text] of Object.entries(edits)) {
      if (text === null) rmSync(join(clone, file));
      else {
        mkdirSync(dirname(join(clone, file)), { recursive: true });
        writeFileSync(join(clone, file), text);
      }
    }
    git('add', '--all', '--force');
    git('commit', '--quiet', '--allow-empty', '-m', 'somebody was here');
    git('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`);
    return git('rev-parse', 'HEAD').trim();
  };
  const fetched = (): void => void git('fetch', '--quiet', '--prune', 'origin');
  git('init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', `${real.url.replace('://', `://ada:${real.tokens.ada}@`)}/acme/${name}.git`);
  push('main', Object.keys(files).length === 0 ? { 'README.md': 'a fleet\n' } : files);

  // The server notes the first push in the background, and an empty repository has no pull requests.
  await until(() => (real.call('ada', 'GET', path).body as { readonly empty: boolean }).empty === false);

  const checked = checkedFetch(`${real.url}/api/v1`, fetch, () => real.tokens.weft);
  const calls: string[] = [];
  const between = new Map<string, () => unknown>();
  const forge = await openGitea(
    {
      product: 'Gitea',
      token: real.tokens.weft,
      repository: { owner: 'acme', name },
      apiUrl: `${real.url}/api/v1`,
      version: '0.0.0',
      clock: virtualClock(),
      notify: () => {},
      fetch: checked.fetch,
    },
    { proxies: {}, env: { PATH: process.env['PATH'] } },
  );
  onTestFinished(async () => {
    await forge.close();
    real.call('boss', 'DELETE', path);
    open.delete(name);
    rmSync(clone, { recursive: true, force: true });
    seen.push(...checked.log);
    expect(checked.violations).toEqual([]);
  });
  const get = <T>(what: string): T => real.call('ada', 'GET', `${path}${what}`).body;
  const refs = (): readonly string[] => git('ls-remote', '--heads', 'origin').split('\n').filter(Boolean);
  const headOf = (branch: string): string | null =>
    refs()
      .find((it) => it.endsWith(`\trefs/heads/${branch}`))
      ?.split('\t')[0] ?? null;
  const filesAt = (branch: string): Readonly<Record<string, string>> => {
    fetched();
    const paths = git('ls-tree', '-r', '-z', '--name-only', `origin/${branch}`).split('\0').filter(Boolean);
    return Object.fromEntries(paths.map((it) => [it, git('show', `origin/${branch}:${it}`)]));
  };
  /** Only what scenarios use; no other tool is there. */
  const tools: Partial<RepositoryTools> = {
    get pulls() {
      const all = get<readonly RealPull[]>('/pulls?state=all').toSorted((a, b) => a.number - b.number);
      return all as unknown as RepositoryTools['pulls'];
    },
    get comments() {
      const all = get<readonly RealComment[]>('/issues/comments');
      return all.map((it) => ({ ...it, pull: Number(it.pull_request_url.split('/').at(-1)) })) as never;
    },
    branches: () => refs().map((it) => it.slice(it.indexOf('\trefs/heads/') + '\trefs/heads/'.length)),
    branch: async (branch, from = 'main') => {
      fetched();
      git('push', '--quiet', '--force', 'origin', `origin/${from}:refs/heads/${branch}`);
      return headOf(branch) ?? '';
    },
    deleteBranch: async (branch) => void git('push', '--quiet', 'origin', `:refs/heads/${branch}`),
    messagesOf: (branch) => {
      fetched();
      return git('log', '-z', '--format=%B', `origin/${branch}`)
        .split('\0')
        .map((it) => it.trim());
    },
    merge: async (number, how = 'merge') => {
      const { status, body } = await merged(real, `${path}/pulls/${number}/merge`, how);
      if (status !== 200) throw new Error(`it was not merged: ${status} ${JSON.stringify(body)}`);
      return headOf('main') ?? '';
    },
  };
  return {
    fake: tools as RepositoryTools,
    forge: watched(forge, calls, between) as Forge,
    calls,
    between,
    pushForeign: async (branch: string, edits: Readonly<Record<string, string | null>>): Promise<string> => {
      fetched();
      git('checkout', '--quiet', '--force', '-B', 'work', headOf(branch) === null ? 'origin/main' : `origin/${branch}`);
      return push(branch, edits);
    },
    pushComment: (pull: number, author: 'weft' | 'stranger', body: string): never =>
      real.call(author === 'weft' ? 'weft' : 'ada', 'POST', `${path}/issues/${pull}/comments`, { body }).body,
    openPull: (): never => {
      throw new Error('a real server chooses the numbers');
    },
    headOf: (branch: string): string => headOf(branch) ?? '',
    historyOf: (branch: string): readonly string[] => {
      fetched();
      return git('rev-list', `origin/${branch}`).split('\n').filter(Boolean);
    },
    filesOf: filesAt,
  };
}

/** A server finds out in the background whether a pull request can be merged, and refuses it until then. */
async function merged(real: RealGitea, path: string, how: string) {
  let answer = real.call('ada', 'POST', path, { Do: how });
  await until(() => {
    if (answer.status === 405) answer = real.call('ada', 'POST', path, { Do: how });
    return answer.status !== 405;
  });
  return answer;
}

async function until(holds: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 60 && !holds(); attempt++) await new Promise((resolve) => setTimeout(resolve, 250));
}
