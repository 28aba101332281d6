import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultSliceName } from '../../../src/fleet/sharing/shared-model.ts';
import { DNS_LABEL, SLICE_NAME } from '../../../src/fleet/topology/formats/dns-names.ts';

describe('the name of a slice that has none', () => {
  it('is that of the provider with an ending, while it fits', () => {
    expect(defaultSliceName('milan')).toBe('milan-slice');
    expect(defaultSliceName('m'.repeat(44))).toBe(`${'m'.repeat(44)}-slice`);
  });

  it('is cut where it does not, with a hash of the whole name', () => {
    // Equal to the hash of `printf %s mmm… | sha256sum`.
    expect(defaultSliceName('m'.repeat(45))).toMatch(/^m{31}-[0-9a-f]{12}-slice$/);
    expect(defaultSliceName('m'.repeat(45))).not.toBe(defaultSliceName('m'.repeat(46)));
  });

  it('is a name of a slice, never the provider, and different for different providers', () => {
    const clusterID = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,49}[a-z0-9])?$/);
    fc.assert(
      fc.property(clusterID, clusterID, (one, other) => {
        const name = defaultSliceName(one);
        expect(SLICE_NAME.hintFor(name) ?? DNS_LABEL.hintFor(name)).toBeUndefined();
        expect(name).not.toBe(one);
        expect(name === defaultSliceName(other)).toBe(one === other);
      }),
    );
  });
});
