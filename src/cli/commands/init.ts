import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { asDiskError } from '../../disk/disk-error.ts';
import { writeFileWhole } from '../../disk/write-file-whole.ts';
import { listOf } from '../../report/count-of.ts';
import { EXIT, type ExitCode, type Host } from '../host.ts';
import { initFiles } from '../init/init-files.ts';
import type { Call } from '../options-of.ts';
import { Refusal } from '../refusal.ts';

/** `weft init [dir]`: a starter topology, its schema for editors, and a workflow that checks pull requests. */
export async function initCommand(host: Host, { args, options }: Call<'init'>): Promise<ExitCode> {
  const [dir = '.'] = args;
  const files = initFiles(fleetName(resolve(host.cwd, dir)));
  const there = files.filter((it) => existsSync(resolve(host.cwd, dir, it.path)));
  const inTheWay = there.filter((it) => !it.mayStay).map((it) => join(dir, it.path));
  if (inTheWay.length > 0) {
    throw new Refusal(
      `${listOf(inTheWay)} ${inTheWay.length === 1 ? 'is' : 'are'} there already; nothing is written`,
      'start in another folder: weft init DIR',
    );
  }
  const wanted = files.filter((it) => !there.includes(it));
  for (const { path, text } of wanted) {
    const target = resolve(host.cwd, dir, path);
    await mkdir(dirname(target), { recursive: true }).catch((error: unknown) => {
      throw asDiskError(error, dirname(target));
    });
    await writeFileWhole(target, text);
  }
  if (!options.quiet)
    await host.stdout.write(
      nextSteps(
        dir,
        wanted.map((it) => join(dir, it.path)),
      ),
    );
  return EXIT.yes;
}

/** The folder's name where it can be one, so that the first compile already tells fleets apart. */
function fleetName(folder: string): string {
  const name = basename(folder).toLowerCase();
  return /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) && name.length <= 40 ? name : 'europe';
}

function nextSteps(dir: string, written: readonly string[]): string {
  const inside = dir === '.' ? '' : `cd ${dir} && `;
  return [
    ...written.map((it) => `wrote ${it}`),
    '',
    'Put your clusters into the topology and the commit of weft into the workflow, then:',
    `  ${inside}weft compile`,
    '  weft view rome',
    '',
  ].join('\n');
}
