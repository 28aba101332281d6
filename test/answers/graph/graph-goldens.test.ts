import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { printDot } from '../../../src/answers/graph/dot/print-dot.ts';
import { printMermaid } from '../../../src/answers/graph/mermaid/print-mermaid.ts';
import { printSvg } from '../../../src/answers/graph/svg/print-svg.ts';
import { compiledFleets } from '../../support/fleets.ts';
import { expectRecorded } from '../../support/recorded.ts';
import { graphOf, graphOfText, starText } from './graph-of.ts';

/** Fleets of `test/golden/` whose pictures show something of their own. */
const RECORDED: readonly string[] = [
  'topologies/topology.yaml',
  'two-hubs-with-tiers',
  'several-pod-cidrs',
  'equal-networks-everywhere-are-remapped',
  'release-1.0',
  'sharing-of-a-hub-with-its-spokes',
];

it('pictures are as recorded, in every language', async () => {
  const fleets = compiledFleets().filter((it) => RECORDED.includes(it.name));
  expect(fleets).toHaveLength(RECORDED.length);
  const graphs = [
    ...fleets.map(({ name, compiled }) => [name.replace(/^topologies\/|\.yaml$/g, ''), graphOf(compiled)] as const),
    ['fifty', graphOfText(starText({ hubs: 2, spokes: 48, shortcuts: [[0, 2]] }))] as const,
    ['five-hundred', graphOfText(starText({ hubs: 10, spokes: 490, shortcuts: [[0, 10]] }))] as const,
  ];
  const files = new Map<string, string>();
  for (const [name, graph] of graphs) {
    files.set(`${name}.mmd`, printMermaid(graph));
    files.set(`${name}.dot`, printDot(graph));
    files.set(`${name}.svg`, await printSvg(graph));
  }
  expectRecorded(new URL('./golden/', import.meta.url), files);
});

it('the picture in docs/inspecting.md is that of the example', async () => {
  const example = compiledFleets().find((it) => it.name === 'topologies/topology.yaml');
  const drawn = example && (await printSvg(graphOf(example.compiled)));
  const shown = readFileSync(new URL('../../../.github/graph.svg', import.meta.url), 'utf8');
  expect(shown === drawn, '.github/graph.svg is old: node dist/weft.cjs graph -o svg > .github/graph.svg').toBe(true);
});
