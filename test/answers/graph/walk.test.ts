import { describe, expect, it } from 'vitest';
import { printWalkSvg } from '../../../src/answers/graph/walk/print-walk-svg.ts';
import { printWalkMermaid, type WalkPicture } from '../../../src/answers/graph/walk/walk-picture.ts';
import type { SharedModel } from '../../../src/fleet/sharing/shared-model.ts';
import { type Trace, trace } from '../../../src/reach/trace/trace.ts';
import { findPart, without } from '../../../src/reach/whatif/parts.ts';
import { drawn } from '../../support/drawn.ts';
import { compiledFleets } from '../../support/fleets.ts';
import { expectRecorded } from '../../support/recorded.ts';
import { pythonMissing, xmlProblem } from '../../support/xml.ts';
import { hostileWalk, pictureOf, walked, walks } from './walks.ts';

const fleetNamed = (name: string): SharedModel => {
  const found = compiledFleets().find((it) => it.name === name);
  if (found === undefined) throw new Error(`no fleet ${name}`);
  return found.compiled.model;
};

const example = (): SharedModel => fleetNamed('topologies/topology.yaml');

function withoutParts(model: SharedModel, ...names: readonly string[]): SharedModel {
  const parts = names.flatMap((it) => {
    const reading = findPart(model, it);
    return reading.ok ? [reading.part] : [];
  });
  expect(parts).toHaveLength(names.length);
  return without(model, parts);
}

describe('the picture of a walk', () => {
  it('is as recorded', () => {
    const model = example();
    const pictures: readonly (readonly [string, WalkPicture])[] = [
      ['direct', walked(model, 'rome', 'milan')],
      ['through-a-hub', walked(model, 'rome', 'milan', { through: 'europe' })],
      ['from-a-node', walked(model, 'rome', 'milan', { fromNode: true })],
      ['lost', walked(withoutParts(model, 'milan/rome', 'europe'), 'rome', 'milan')],
    ];
    expectRecorded(
      new URL('./walks/', import.meta.url),
      new Map(
        pictures.flatMap(([name, it]) => [
          [`${name}.mmd`, printWalkMermaid(it)] as const,
          [`${name}.svg`, printWalkSvg(it)] as const,
        ]),
      ),
    );
  });

  it('passes pod, node and gateway of both clusters, and shows each translation at its place', () => {
    const { stops, wires } = walked(example(), 'rome', 'milan');
    expect(stops.map((it) => `${it.cluster} ${it.title}`)).toEqual([
      ...['rome pod', 'rome node', 'rome gateway for milan'],
      ...['milan gateway for rome', 'milan node', 'milan pod'],
    ]);
    expect(stops[2]?.there).toEqual([
      expect.stringMatching(/^destination 10\.81\.0\.10 becomes 10\.202\.0\.10: outgoing-/),
    ]);
    expect(stops[2]?.back).toEqual(['source 10.202.0.10 becomes 10.81.0.10: connection tracking']);
    expect(wires.filter((it) => it.isTunnel)).toEqual([
      expect.objectContaining({ there: '10.202.0.10 to 10.202.0.10', back: '10.202.0.10 to 10.202.0.10' }),
    ]);
  });

  it('has the translations of the trace, and each once', () => {
    for (const { compiled } of drawn(compiledFleets())) {
      const { model } = compiled;
      const names = [...model.clusters.keys()].slice(0, 4);
      for (const from of names) {
        for (const to of names) {
          const found = trace(model, {
            ...{ from: { cluster: from, address: null }, to: { kind: 'cluster', cluster: to, address: null } },
          });
          const { stops, wires, lost } = pictureOf(found);
          expect(lost === null).toBe(found.fate.kind === 'delivered' || found.fate.kind === 'self');
          expect(wires).toHaveLength(stops.length - 1);
          const changes = (hops: Trace['there']): number =>
            hops.slice(1).reduce((sum, it, i) => {
              const before = hops[i];
              const isOther = (key: 'source' | 'destination') =>
                JSON.stringify(it[key]) !== JSON.stringify(before?.[key]);
              return sum + Number(isOther('source')) + Number(isOther('destination'));
            }, 0);
          expect(stops.flatMap((it) => it.there)).toHaveLength(changes(found.there));
          expect(stops.flatMap((it) => it.back)).toHaveLength(changes(found.back));
        }
      }
    }
  });

  it('shows where a packet is lost, and why', () => {
    const lost = walked(withoutParts(example(), 'milan/rome', 'europe'), 'rome', 'milan');
    expect(lost.lost).toBe('The link of "milan" and "rome" is off, so nothing passes between the two.');
    expect(printWalkMermaid(lost)).toContain('s1 --x lost');
    expect(printWalkSvg(lost)).toContain('is off, so nothing passes');
  });

  it('says in words what it shows', () => {
    const svg = printWalkSvg(walked(example(), 'rome', 'milan'));
    expect(svg).toMatch(
      /aria-labelledby="title desc">\n<title id="title">rome to milan<\/title>\n<desc id="desc">delivered\. pod of rome; /,
    );
    expect(svg).toMatch(
      /gateway for milan of rome, destination 10\.81\.0\.10 becomes 10\.202\.0\.10: [^;]*; 10\.202\.0\.10 to 10\.202\.0\.10 by WireGuard/,
    );
  });

  it.skipIf(pythonMissing)('is XML (skipped without python3)', () => {
    const texts = [...walks(), hostileWalk()].map(printWalkSvg);
    expect(
      texts.filter((it) => /<script|href|url\(|NaN|undefined|Infinity/.test(it.replace(/>[^<]*</g, '><'))),
    ).toEqual([]);
    expect(xmlProblem(texts)).toBe('');
  });

  it('keeps a hostile text in its label, and no markup in it', () => {
    const walk = hostileWalk();
    const elements = /<\/?(?:svg|title|desc|style|rect|text|path|g)(?: [\w:-]+="[^"<>]*")*\/?>/g;
    expect(printWalkSvg(walk).replace(elements, '')).not.toMatch(/[<>]/);
    const mermaid = printWalkMermaid(walk);
    expect(mermaid.replace(/"[^"]*"|acc\w+:.*/g, '')).not.toMatch(/javascript|script|onerror|click|alert|set-output/);
    expect(mermaid).not.toMatch(/<(?!b>|\/b>|br>)|javascript:|```|%%|&/);
  });
});
