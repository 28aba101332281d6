import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const works = (command: string, ...args: readonly string[]): boolean => spawnSync(command, args).status === 0;

/** Whether `nft` can be asked here: that needs root, and a network namespace so that nothing of the machine is touched. */
export const nftAvailable = (): boolean => works('unshare', '-n', 'nft', 'list', 'ruleset');

/** What `nft` has against texts that would each be loaded into a namespace of its own; empty when it takes them all. */
export function nftProblems(texts: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'weft-nft-'));
  try {
    texts.forEach((text, index) => {
      writeFileSync(join(folder, `${index}.nft`), text);
    });
    // One namespace does for all, since checking loads nothing; one process a text, since tables repeat.
    const script = 'for file in "$0"/*.nft; do nft -c -f "$file" || exit 1; done';
    const { status, stdout, stderr } = spawnSync('unshare', ['-n', 'sh', '-c', script, folder], { encoding: 'utf8' });
    return status === 0 ? '' : `${stdout}${stderr}` || `status ${status}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
