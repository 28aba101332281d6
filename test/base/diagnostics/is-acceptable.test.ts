import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import topologySchema from '../../../schemas/topology.schema.json' with { type: 'json' };
import { CODES, type Code } from '../../../src/base/diagnostics/codes.ts';
import { isAcceptable } from '../../../src/base/diagnostics/diagnostic.ts';
import { compileGolden, goldenNames } from '../../support/golden.ts';

/** Entries about the whole fleet, about names that no cluster has, or about labels that select none. */
const WITHOUT_PLACE: readonly Code[] = [
  'topology/no-gitops-repository',
  'keys/unknown-cluster',
  'topology/selects-no-link',
];

describe.each(goldenNames().filter((it) => !it.startsWith('invalid-')))('what is reported about %s', (folder) => {
  const found = compileGolden(folder).diagnostics;

  it('can be accepted, unless it is about the lock or about acceptances', () => {
    const others = found.map(({ code }) => code).filter((it) => !isAcceptable(it));
    expect(others.filter((it) => !it.startsWith('lock/') && it !== 'topology/acceptance-unused')).toEqual([]);
  });

  it('names its clusters and links, so that it can be accepted there', () => {
    const placeless = found.filter((it) => isAcceptable(it.code) && it.about === undefined);
    // An entry of `sharing` may select by labels.
    const known = placeless.filter(
      (it) => WITHOUT_PLACE.includes(it.code) || /beside `slices`|handshake/.test(it.message),
    );
    expect(placeless).toEqual(known);
    for (const { about } of found) for (const it of about ?? []) expect(it.length).toBeLessThanOrEqual(2);
  });
});

it('is reported by a compile, and not by live clusters, edits or the clock', () => {
  const raised = new Set(goldenNames().flatMap((it) => compileGolden(it).diagnostics.map(({ code }) => code)));
  const codes = (Object.keys(CODES) as readonly Code[]).filter(isAcceptable);
  // This one takes a large fleet.
  expect(codes.filter((it) => !raised.has(it))).toEqual(['ipam/many-order-dependent']);
  expect(codes.filter((it) => CODES[it] === 'error')).toEqual([]);
});

it('is what editors are recorded to offer', () => {
  const text = readFileSync(new URL('../../editor/completion/accept.code.txt', import.meta.url), 'utf8');
  const offered = [...text.matchAll(/^(\w+\/\S+)$/gm)].map(([code]) => code);
  expect(offered).toEqual((Object.keys(CODES) as readonly Code[]).filter(isAcceptable).sort());
});

it('is what the schema lists for editors', () => {
  const codes = (Object.keys(CODES) as readonly Code[]).filter(isAcceptable);
  expect(topologySchema.$defs.acceptance.properties.code.enum).toEqual(codes.sort());
});
