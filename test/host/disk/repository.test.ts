import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCheckout } from '../../../src/host/disk/repository.ts';
import { withFolder } from './tree/temp-folder.ts';

describe('a checkout', () => {
  it('knows files by their path from the folder that has .git, wherever weft was called', async () => {
    await withFolder((folder) => {
      mkdirSync(join(folder, 'fleet/out'), { recursive: true });
      // In a linked work tree it is a file.
      writeFileSync(join(folder, '.git'), 'gitdir: elsewhere\n');
      const checkout = openCheckout({ cwd: join(folder, 'fleet'), file: 'out/a', fallback: '/elsewhere' });
      expect(checkout.root).toBe(folder);
      expect(checkout.pathInRepository('out/rome')).toBe('fleet/out/rome');
      expect(checkout.pathInRepository('../README.md')).toBe('README.md');
      expect(checkout.pathInRepository('../../other')).toBeUndefined();
      expect(checkout.pathInRepository('..')).toBeUndefined();
    });
  });

  it('is the one around the file, also if weft was called in the folder above', async () => {
    await withFolder((folder) => {
      mkdirSync(join(folder, 'fleet/.git'), { recursive: true });
      mkdirSync(join(folder, 'fleet/topologies'));
      const checkout = openCheckout({ cwd: folder, file: 'fleet/topologies/a.yaml', fallback: folder });
      expect(checkout.pathInRepository('fleet/topologies/a.yaml')).toBe('topologies/a.yaml');
    });
  });

  it('is the fallback where no folder above has .git', async () => {
    await withFolder((folder) => {
      expect(openCheckout({ cwd: folder, file: 'a.yaml', fallback: '/workspace' }).root).toBe('/workspace');
    });
  });

  it('gives the text of a file with its byte order mark, which git hashes too', async () => {
    await withFolder(async (folder) => {
      writeFileSync(join(folder, 'a.yaml'), '\ufeffversion: 1\n');
      const { rawText, hasFile } = openCheckout({ cwd: folder, file: 'a.yaml', fallback: folder });
      expect([hasFile('a.yaml'), hasFile('b.yaml'), hasFile('../')]).toEqual([true, false, false]);
      expect(await rawText('a.yaml')).toBe('\ufeffversion: 1\n');
      expect(await rawText('b.yaml')).toBeNull();
    });
  });
});
