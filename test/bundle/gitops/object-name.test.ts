import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { objectName } from '../../../src/bundle/gitops/entry-point.ts';

const name = fc.stringMatching(/^[a-z0-9]([-a-z0-9]{0,49}[a-z0-9])?$/);
const parts = fc.array(name, { minLength: 1, maxLength: 3 });

describe('names of GitOps objects', () => {
  it('contain fleet, cluster and peer', () => {
    expect(objectName(['europe'])).toBe('weft-europe');
    expect(objectName(['europe', 'rome', 'milan'])).toBe('weft-europe.rome.milan');
  });

  it('differ for a peer and for a cluster with a dash', () => {
    expect(objectName(['f', 'eu', 'west'])).not.toBe(objectName(['f', 'eu-west']));
  });

  it('shorten what is too long in a way that never changes', () => {
    expect(objectName(['f', 'a'.repeat(51), 'b'.repeat(51)])).toBe(
      'weft-f.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-ff192c077cda54db',
    );
  });

  it('are label values and object names, and differ when their parts do', () => {
    fc.assert(
      fc.property(parts, parts, (a, b) => {
        const [first, second] = [objectName(a), objectName(b)];
        expect(first.length).toBeLessThanOrEqual(63);
        expect(first).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/);
        expect(first === second).toBe(a.join('.') === b.join('.'));
      }),
      { numRuns: 300 },
    );
  });

  it('differ for long names that begin alike', () => {
    const names = Array.from({ length: 5000 }, (_, i) => objectName(['fleet', 'c'.repeat(51), `peer-${i}`]));
    expect(new Set(names).size).toBe(names.length);
  });
});
