import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawn, firstOfEach, runsOf } from '../../support/drawn.ts';
import { bundleFiles, verifyGolden } from './verify-golden.ts';

const GOLDENS = [
  'deck-two-one-pod-cidr-everywhere',
  'keys-of-all-gateways',
  'gateways-customised-on-1.2',
  'gitops-with-argo-and-flux',
  'several-pod-cidrs',
  'sharing-of-a-hub-with-its-spokes',
  'shortcuts-in-a-star-with-operator',
];

describe('verify', () => {
  it.each(GOLDENS)('notices any edit of one character in any file: %s', (golden) => {
    const files = bundleFiles(golden);
    const paths = [...files.keys()];
    const edits = fc.record({
      path: fc.constantFrom(...paths),
      at: fc.nat(),
      kind: fc.constantFrom('insert', 'delete', 'replace'),
      character: fc.constantFrom(...'aZ0917-"\'{}[]:,.#&*!|>%@` \n\t\u00e9\ufeff/'),
    });
    fc.assert(
      fc.property(edits, ({ path, at, kind, character }) => {
        const text = files.get(path) ?? '';
        const start = at % text.length;
        const end = kind === 'insert' ? start : start + 1;
        const edited = text.slice(0, start) + (kind === 'delete' ? '' : character) + text.slice(end);
        fc.pre(edited !== text);
        const found = verifyGolden(golden, new Map([...files, [path, edited]]));
        // Every place is in a file, and one of them in the edited file.
        expect(found.length, `${path}@${start} ${kind} ${JSON.stringify(character)}`).toBeGreaterThan(0);
        for (const { span, message } of found) {
          expect(span.start).toBeLessThanOrEqual(span.end);
          expect(span.end).toBeLessThanOrEqual(span.source.text.length);
          expect(message).not.toContain('undefined');
        }
        expect(found.map((it) => it.span.source.path)).toContain(`out/${path}`);
      }),
      { numRuns: runsOf(20, 6) },
    );
  });

  it.each(GOLDENS.slice(0, 2))('notices when any file is removed: %s', (golden) => {
    const files = bundleFiles(golden);
    for (const path of drawn(
      [...files.keys()],
      firstOfEach((it) => it.replace(/^[^/_]+\/|[\w-]+(?=\.yaml$|\.nft$)/g, '')),
    )) {
      const found = verifyGolden(golden, new Map([...files].filter(([it]) => it !== path)));
      expect(found.length, path).toBeGreaterThan(0);
    }
  });
});
