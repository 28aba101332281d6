import { spawnSync } from 'node:child_process';
import { lineEnd, objectEnd } from './git-servant.ts';
import { GIT_ENV, git } from './git-store.ts';

/** path -> text of every file at a branch or a commit, in two runs of git however many there are. */
export function readFiles(folder: string, name: string): ReadonlyMap<string, string> {
  const lines = git(folder, ['ls-tree', '-r', '-z', name]).split('\0').slice(0, -1);
  const entries = lines
    .map((it) => /^\d+ (\w+) ([0-9a-f]{40})\t(.*)$/s.exec(it) ?? [])
    .filter(([, type]) => type === 'blob');
  const input = entries.map(([, , id]) => `${id}\n`).join('');
  const { stdout } = spawnSync('git', ['cat-file', '--batch'], {
    cwd: folder,
    env: GIT_ENV,
    input,
    maxBuffer: 2 ** 30,
  });
  let rest = stdout;
  const files = entries.map(([, , , path = '']) => {
    const end = objectEnd(rest) ?? 0;
    const text = rest.toString('utf8', lineEnd(rest) ?? 0, end - 1);
    rest = rest.subarray(end);
    return [path, text] as const;
  });
  return new Map(files);
}
