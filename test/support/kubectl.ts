import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const kubectlAvailable = (): boolean => spawnSync('kubectl', ['version', '--client']).status === 0;

/**
 * The output of `kubectl kustomize` for each folder, in their order; throws when it refuses one. A start of kubectl
 * takes long and all are started from one shell, a few at once; `scratch` is a folder for their answers.
 */
export function kustomizeAll(folders: readonly string[], scratch: string): readonly string[] {
  mkdirSync(scratch, { recursive: true });
  // A complaint without a bad exit (a field that is deprecated) counts, too.
  const script =
    'kubectl kustomize "$1" >"$0/$2" 2>"$0/$2.err" && ! [ -s "$0/$2.err" ] || { cat "$0/$2.err"; exit 255; }';
  const input = folders.flatMap((it, index) => [it, String(index)]).join('\0');
  const { status, stdout, stderr } = spawnSync('xargs', ['-0', '-P', '3', '-n', '2', 'sh', '-c', script, scratch], {
    encoding: 'utf8',
    input: folders.length === 0 ? '' : `${input}\0`,
  });
  if (status !== 0) throw new Error(`kubectl kustomize: ${stdout}${stderr}`);
  return folders.map((_, index) => readFileSync(join(scratch, String(index)), 'utf8'));
}
