import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openCheckout } from '../../src/disk/checkout.ts';
import { withFolder } from './tree/temp-folder.ts';

describe('a checkout', () => {
  it('knows files by their path from the folder that has .git, wherever weft was called', async () => {
    await withFolder((folder) => {
      mkdirSync(join(folder, 'fleet/out'), { recursive: true });
      // In a linked work tree it is a file.
      writeFileSync(join(folder, '.git'), 'gitdir: elsewhere\n');
      const checkout = openCheckout(join(folder, 'fleet'), '/elsewhere');
      expect(checkout.root).toBe(folder);
      expect(checkout.pathInRepository('out/rome')).toBe('fleet/out/rome');
      expect(checkout.pathInRepository('../README.md')).toBe('README.md');
      expect(checkout.pathInRepository('../../other')).toBeUndefined();
      expect(checkout.pathInRepository('..')).toBeUndefined();
    });
  });

  it('is the fallback where no folder above has .git', async () => {
    await withFolder((folder) => {
      expect(openCheckout(folder, '/workspace').root).toBe('/workspace');
    });
  });

  it('gives the text of a file with its byte order mark, which git hashes too', async () => {
    await withFolder(async (folder) => {
      writeFileSync(join(folder, 'a.yaml'), '\ufeffversion: 1\n');
      const { rawText } = openCheckout(folder, folder);
      expect(await rawText('a.yaml')).toBe('\ufeffversion: 1\n');
      expect(await rawText('b.yaml')).toBeNull();
    });
  });
});
