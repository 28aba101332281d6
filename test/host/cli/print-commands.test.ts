import { describe, expect, it } from 'vitest';
import { workspace } from './memory-host.ts';

describe('weft import --print-commands', () => {
  it('prints the commands for its contexts, and reads nothing', async () => {
    const { weft } = workspace({});
    const { code, stdout, stderr } = await weft(
      ...['import', '--print-commands', '--context', 'rome', '--context', 'milan=admin@milan'],
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^#!\/usr\/bin\/env bash\n/);
    expect(stdout).toMatch(/\ndump rome rome\ndump milan admin@milan\n$/);
    expect(stdout).toContain('\n    list networks.ipam.liqo.io --output=json\n');
  });
});
