import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { planPlaceFault } from '../../../src/host/disk/write-own-files.ts';
import { withFolder } from './tree/temp-folder.ts';

const faultsIn = (folder: string) => (name: string) => planPlaceFault(join(folder, name), folder);

it('lets a plan be a new file, an empty one or the next plan', () =>
  withFolder(async (folder) => {
    const faultOf = faultsIn(folder);
    writeFileSync(join(folder, 'empty.json'), '');
    writeFileSync(
      join(folder, 'plan.json'),
      `{\n  "schemaVersion": 1,\n  "fleet": "europe",\n  "line": "${'x'.repeat(1000)}"\n}\n`,
    );
    for (const name of ['new.json', 'empty.json', 'plan.json', 'no-folder/plan.json'])
      expect(await faultOf(name)).toBeUndefined();
  }));

it.skipIf(process.platform === 'win32')(
  'lets a plan replace nothing else, and no link lead it out of the repository',
  () =>
    withFolder(async (outside) => {
      const folder = join(outside, 'fleet');
      mkdirSync(join(folder, '.git'), { recursive: true });
      const faultOf = faultsIn(folder);
      writeFileSync(join(folder, 'topology.yaml'), 'version: 1\n');
      writeFileSync(join(outside, 'plan.json'), '{\n  "schemaVersion": 1,\n  "fleet": "europe"\n}\n');
      symlinkSync(outside, join(folder, 'plans'));
      symlinkSync('../plan.json', join(folder, 'link.json'));
      execFileSync('mkfifo', [join(folder, 'pipe')]);
      expect(await faultOf('topology.yaml')).toBe('it contains something else');
      expect(await faultOf('link.json')).toBe('a symbolic link leads out of the repository');
      expect(await faultOf('plans/new.json')).toBe('a symbolic link leads out of the repository');
      expect(await faultOf('pipe')).toBe('it is a pipe, not a file');
      expect(await faultOf('.')).toBe('it is a folder');
      // Writing would replace the device itself.
      for (const name of ['/dev/stdout', '/proc/x.json', '/dev/null'])
        expect(await planPlaceFault(name, folder)).toMatch(/^it is not a file on a disk$|^it is a device/);
    }),
);
