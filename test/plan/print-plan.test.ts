import { describe, expect, it } from 'vitest';
import { markdownText } from '../../src/answers/report/markdown-text.ts';
import { colourPaint, plainPaint } from '../../src/answers/report/paint.ts';
import { planDocument } from '../../src/answers/report/plan/plan-answer.ts';
import { printPlan } from '../../src/answers/report/plan/print-plan.ts';
import { printPlanMarkdown } from '../../src/answers/report/plan/print-plan-markdown.ts';
import { compile } from '../../src/compile.ts';
import { keysOf } from '../support/keys-of.ts';
import { EDITS } from './edits.ts';
import { planBetween, runEdit } from './run-edit.ts';

function fleetOf(count: number, mtu: number) {
  const names = [...Array(count).keys()].map((it) => `leaf-${String(it).padStart(3, '0')}`);
  const text = `version: 1
name: fleet
hub: europe
defaults: { serviceCIDR: 172.20.0.0/16, externalCIDR: auto }
clusters:
  europe: { podCIDR: 10.0.0.0/16, gateway: { addresses: [203.0.113.10], mtu: ${mtu} } }
${names.map((it, i) => `  ${it}: { podCIDR: 10.${1 + (i >> 4)}.${(i & 15) << 4}.0/20 }\n`).join('')}`;
  return { path: 'topology.yaml', text };
}

function compiledFleet(count: number, mtu: number, lock?: string, path = 'topology.yaml') {
  const topology = { ...fleetOf(count, mtu), path };
  const sources = {
    topology,
    keys: keysOf(topology),
    lock: lock === undefined ? undefined : { path: 'topology.lock.yaml', text: lock },
  };
  const result = compile(sources, { relock: [], only: null });
  if (!result.ok) throw new Error(result.diagnostics[0]?.message);
  return result.value;
}

describe('the plan of 300 clusters', () => {
  const before = compiledFleet(300, 1340);
  const plan = planBetween(before, compiledFleet(300, 1300, before.lock));

  it.each([60_000, 20_000, 5_000, 2_000, 800, 300, 100, 20, 0])(
    'fits into %i characters and starts with what matters',
    (limit) => {
      const text = printPlanMarkdown(plan, { limit, runUrl: 'https://example.com/run/1' });
      expect(text.length).toBeLessThanOrEqual(limit);
      const line = '**Plan: 0 to add, 300 to change, 0 to remove; live flows break between 45150 pairs of clusters.**';
      expect(text.startsWith(line.slice(0, Math.min(limit, line.length)))).toBe(true);
      const [picture = ''] = /^```mermaid\n[^`]*```\n\n/m.exec(text) ?? [];
      if (limit >= 800) expect(text.replace(picture, '').split('\n')[2]).toBe('### Blast radius: 301 clusters');
      if (limit >= 5_000) expect(picture).toContain('<b>300 spokes of europe</b>');
      if (limit >= 5_000) expect(picture).toContain('changed 300 hub links<br>breaks live flows');
      if (limit >= 800) expect(text).toContain('[the whole plan](https://example.com/run/1)');
    },
  );

  it('fits a screen as text, and shows all with -v', () => {
    expect(printPlan(plan, { paint: plainPaint, verbose: false }).split('\n').length).toBeLessThan(60);
    expect(printPlan(plan, { paint: plainPaint, verbose: true })).toContain('~ europe/peers/leaf-299/leaf-299.yaml');
  });
});

describe('the plan of many gateways that move', () => {
  const leaves = [...Array(60).keys()].map((it) => `leaf-${String(it).padStart(3, '0')}`);
  const fleet = (addressOf: (i: number) => string) => ({
    path: 'topology.yaml',
    text: `version: 1
name: fleet
hub: europe
defaults: { serviceCIDR: 172.20.0.0/16, externalCIDR: auto }
clusters:
  europe: { podCIDR: 10.0.0.0/16, gateway: { server: never } }
${leaves.map((it, i) => `  ${it}: { podCIDR: 10.${i + 1}.0.0/16, gateway: ${addressOf(i)} }\n`).join('')}`,
  });
  const compiledAt = (addressOf: (i: number) => string, lock?: string) => {
    const topology = fleet(addressOf);
    const before = lock === undefined ? undefined : { path: 'topology.lock.yaml', text: lock };
    const result = compile({ topology, keys: keysOf(topology), lock: before }, { relock: [], only: null });
    if (!result.ok) throw new Error(result.diagnostics[0]?.message);
    return result.value;
  };
  const before = compiledAt((i) => `203.0.113.${i + 1}`);
  const plan = planBetween(
    before,
    compiledAt((i) => (i === 47 ? '192.0.2.48' : `198.51.100.${i + 1}`), before.lock),
  );
  const outlier = 'europe and leaf-047: europe dials 192.0.2.48 instead of 203.0.113.48';

  it('names the one that moves to another network first, where not all are shown', () => {
    expect(printPlan(plan, { paint: plainPaint, verbose: false }).split('\n')[1]).toBe(`  ~ ${outlier}`);
    expect(printPlanMarkdown(plan, { limit: 8_000 })).toContain(`- \`~\` ${outlier}`);
  });

  it('shows as many as there is room for', () => {
    const shown = (limit: number): number => printPlanMarkdown(plan, { limit }).split('europe dials ').length - 1;
    expect(shown(60_000)).toBe(60);
    expect(shown(8_000)).toBeGreaterThan(10);
    expect(shown(8_000)).toBeLessThan(60);
    expect(printPlanMarkdown(plan, { limit: 250_000 })).not.toContain('like these');
  });
});

describe('a plan', () => {
  const { plan } = runEdit(EDITS.find((it) => it.name === 'remove-a-leaf') ?? { name: '' });

  it('explains the folder "unordered" where it is listed', () => {
    const gitops = runEdit(EDITS.find((it) => it.name === 'turn-on-gitops') ?? { name: '' }).plan;
    const explained = /^ {2}unordered: what Flux applies first/m;
    expect(printPlan(gitops, { paint: plainPaint, verbose: true })).toMatch(explained);
    expect(printPlan(plan, { paint: plainPaint, verbose: true })).not.toMatch(explained);
  });

  it('is the same text in colour', () => {
    const painted = printPlan(plan, { paint: colourPaint, verbose: false });
    expect(painted).toContain('\u001b[');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a terminal understands begins with one.
    expect(painted.replace(/\u001b\[[\d;]*m/g, '')).toBe(printPlan(plan, { paint: plainPaint, verbose: false }));
  });

  it('is one JSON document that says all of it', () => {
    const document = JSON.parse(JSON.stringify(planDocument(plan)));
    expect(document.counts).toEqual({ add: 0, change: 0, remove: 2, disruptive: 2, trust: 0 });
    expect(document.pairs).toEqual({ stops: 3, interrupted: 0, readdressed: 0, rerouted: 0, opens: 0 });
    expect(document.changes[0]).toMatchObject({
      id: 'cluster-removed oslo',
      disruptive: true,
      text: 'oslo leaves the fleet',
    });
    const removed = document.changes.find((it: { kind: string }) => it.kind === 'link-removed');
    expect(removed.link.sides).toHaveLength(2);
    expect(document.files.every((it: { explainedBy: string[] }) => it.explainedBy.length > 0)).toBe(true);
  });
});

describe('the JSON of a renamed topology', () => {
  const before = compiledFleet(2, 1340);
  const plan = planBetween(before, compiledFleet(2, 1340, before.lock, 'fleet.yaml'));
  const document = planDocument(plan);

  it('names the setting by its key, in the change and in the files that it explains', () => {
    const id = 'setting-changed */topologyFile';
    expect(document.changes).toMatchObject([
      {
        kind: 'setting-changed',
        setting: 'topologyFile',
        id,
        text: "the fleet: the topology's file name is fleet.yaml instead of topology.yaml",
      },
    ]);
    expect(document.files.length).toBeGreaterThan(0);
    for (const it of document.files) expect(it.explainedBy).toEqual([id]);
  });
});

describe('Markdown', () => {
  it.each([
    ['<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
    ['a | b', 'a \\| b'],
    ['[x](javascript:y)', '\\[x\\](javascript:y)'],
    ['*bold* _it_ `code`', '\\*bold\\* \\_it\\_ \\`code\\`'],
    ['\u202emoc', '\ufffdmoc'],
    ['two\nlines', 'two\u240alines'],
  ])('shows %j as it is', (text, escaped) => {
    expect(markdownText(text)).toBe(escaped);
  });
});
