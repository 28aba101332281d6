import { describe, expect, it } from 'vitest';
import { compiledText } from '../../support/compile-text.ts';

describe('clusters that are called like words of the lock', () => {
  it.each(['view', 'join', 'port', 'pod', 'external', 'internal'])('keep what was decided about %s', (name) => {
    const text = `
version: 1
name: fleet
hub: ${name}
defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12 }
clusters:
  ${name}: { gateway: 203.0.113.1, internalCIDR: auto }
  rome:
  milan:
`;
    const { lock } = compiledText(text);
    expect(lock).toContain(`  rome/${name}/view/${name}/pod/10.200.0.0/16: `);
    expect(compiledText(text, lock).lock).toBe(lock);
  });
});
