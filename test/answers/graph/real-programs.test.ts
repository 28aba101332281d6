import { expect, it } from 'vitest';
import { printDot } from '../../../src/answers/graph/dot/print-dot.ts';
import type { ClusterFacts, LinkFacts } from '../../../src/answers/graph/fleet-facts.ts';
import type { FleetGraph } from '../../../src/answers/graph/fleet-graph.ts';
import { foldFleet } from '../../../src/answers/graph/fold-fleet.ts';
import { printMermaid } from '../../../src/answers/graph/mermaid/print-mermaid.ts';
import { printSvg } from '../../../src/answers/graph/svg/print-svg.ts';
import { printWalkMermaid } from '../../../src/answers/graph/walk/walk-picture.ts';
import { planPicture } from '../../../src/answers/report/plan/print-plan-markdown.ts';
import { EDITS } from '../../plan/edits.ts';
import { runEdit } from '../../plan/run-edit.ts';
import { drawn } from '../../support/drawn.ts';
import { compiledFleets } from '../../support/fleets.ts';
import { drawByGraphviz, graphvizMissing } from '../../support/graphviz.ts';
import { mermaidMissing, mermaidProblems } from '../../support/mermaid.ts';
import { graphOf, graphOfText, starText } from './graph-of.ts';
import { hostileWalk, walks } from './walks.ts';

/** Words of both languages, and texts that would end a label or begin something else. */
const HOSTILE: readonly string[] = [
  ...['end', 'subgraph', 'class', 'style', 'click', 'graph', 'digraph', 'node', 'edge', 'default', 'x--o-.-b'],
  ...['"]', '"] click n1 "javascript:alert(1)"', '\\', '\\"', '<script>', '<img src=x onerror=alert(1)>', '&quot;'],
  ...[
    '#quot;',
    '`code`',
    '%%{init: {}}%%',
    '%% comment',
    '|x|',
    '};',
    'ß日本',
    ':::hub',
    '---',
    '```',
    '$(id)',
    '{{x}}',
  ],
];

/** A fleet whose every text is hostile: names, networks, releases and labels. */
function hostileGraph(): FleetGraph {
  const cluster = (name: string): ClusterFacts => ({
    ...{ name, release: name, podCIDRs: [name], group: name, mark: null, formerName: name, breaks: false },
  });
  const link = (client: string): LinkFacts => ({
    ...{ kind: 'peering', hub: null, server: 'rome', client, mark: 'added', breaks: true },
    remaps: [{ of: client, seenIn: 'rome', kind: 'pod', cidr: client, seenAs: client, was: client }],
  });
  const facts = { clusters: ['rome', ...HOSTILE].map(cluster), links: HOSTILE.map(link) };
  return foldFleet(facts, { title: HOSTILE.join(' '), most: 100 });
}

const graphs = (): readonly FleetGraph[] => [
  ...drawn(compiledFleets()).map(({ compiled }) => graphOf(compiled)),
  graphOfText(starText({ hubs: 1, spokes: 59 })),
  graphOfText(starText({ hubs: 10, spokes: 490, shortcuts: [[0, 10]] })),
  hostileGraph(),
];

/** The pictures of plans, as they are in Markdown, of some edits. */
const pictures = (): readonly string[] =>
  drawn(EDITS)
    .flatMap((it) => planPicture(runEdit(it).plan))
    .map((it) => it.replace(/^```mermaid\n|```$/g, ''));

/** All pictures at night: five thousand. */
const PICTURES_TIMEOUT = { timeout: 600_000 };

it.skipIf(mermaidMissing)(
  'Mermaid reads every picture (skipped without "npm ci --prefix test/mermaid")',
  PICTURES_TIMEOUT,
  () => {
    const walkTexts = [...walks(), hostileWalk()].map(printWalkMermaid);
    expect(walkTexts.length).toBeGreaterThan(20);
    const texts = [...graphs().map(printMermaid), ...pictures(), ...walkTexts];
    // GitHub and others draw no more than this. Source: mermaid-js/mermaid packages/mermaid/src/defaultConfig.ts.
    expect(texts.filter((it) => it.length > 50_000 || it.split(/-->|~~~|-\.->/).length > 500)).toEqual([]);
    const problems = mermaidProblems([...texts, 'flowchart RL\n  end --> rome']);
    expect(problems.pop()).toContain('Parse error');
    expect(problems.filter((it) => it !== '')).toEqual([]);
  },
);

it.skipIf(graphvizMissing)('Graphviz draws every picture, each title in it (skipped without dot)', () => {
  const all = graphs().slice(-12);
  for (const graph of all) {
    const { problems, svg } = drawByGraphviz(printDot(graph));
    expect(problems).toBe('');
    for (const { title } of graph.nodes.filter((it) => /^[a-z ]+$/.test(it.title))) expect(svg).toContain(`>${title}<`);
  }
});

it('a hostile text stays in its label, and is no markup there', async () => {
  const graph = hostileGraph();
  const elements = /<\/?(?:svg|title|desc|style|rect|text|path|g)(?: [\w:-]+="[^"<>]*")*\/?>/g;
  expect((await printSvg(graph)).replace(elements, '')).not.toMatch(/[<>]/);
  const mermaid = printMermaid(graph);
  const outside = /javascript|script|onerror|click|subgraph (?!g\d)|alert/;
  expect(mermaid.replace(/"[^"]*"|acc\w+:.*/g, '')).not.toMatch(outside);
  expect(mermaid).not.toMatch(/<(?!b>|\/b>|br>)|javascript:|```|%%|&/);
  const labels = /"(?:[^"\\]|\\.)*"/g;
  expect(
    printDot(graph)
      .replace(labels, '')
      .replace(/subgraph {2}\{/g, ''),
  ).not.toMatch(/"|script|onerror|click|alert/);
});
