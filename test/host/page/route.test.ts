import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printRoute, readRoute, VIEWS } from '../../../src/host/page/route.ts';

describe('the address of a view', () => {
  it.each([
    ['#trace=rome/10.202.0.5,milan', 'trace', ['rome/10.202.0.5', 'milan']],
    ['#trace=rome:8080,milan', 'trace', ['rome:8080', 'milan']],
    ['#eyes=rome', 'eyes', ['rome']],
    ['#links', 'links', []],
    ['', 'map', []],
    ['#nowhere=rome', 'map', ['rome']],
    ['#eyes=%E0%A4%A', 'eyes', ['%E0%A4%A']],
  ])('%s', (hash, view, parts) => {
    expect(readRoute(hash)).toEqual({ view, parts });
  });

  it('is that of the start where the address names none', () => {
    expect(readRoute('', 'changes')).toEqual({ view: 'changes', parts: [] });
    expect(readRoute('#map', 'changes')).toEqual({ view: 'map', parts: [] });
  });

  it('is read as it was printed, whatever the parts are', () => {
    const parts = fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(fc.constantFrom(...VIEWS), parts, (view, all) => {
        expect(readRoute(printRoute(view, ...all))).toEqual({ view, parts: all });
      }),
    );
  });

  it('shows addresses as people write them', () => {
    expect(printRoute('trace', 'rome/10.202.0.5:80', 'milan')).toBe('#trace=rome/10.202.0.5:80,milan');
  });
});
