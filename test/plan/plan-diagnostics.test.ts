import { describe, expect, it } from 'vitest';
import { printSarif } from '../../src/answers/report/code-scanning.ts';
import { planDiagnostics } from '../../src/answers/report/plan/plan-diagnostics.ts';
import { printAnnotations } from '../../src/answers/report/print-annotations.ts';
import { inFolders } from '../../src/base/core/folder-files.ts';
import type { Code } from '../../src/base/diagnostics/codes.ts';
import { describeRule } from '../../src/host/app/explain.ts';
import { RUNS_ALL } from '../support/drawn.ts';
import { EDITS } from './edits.ts';
import { planBetween, runEdit } from './run-edit.ts';

const editOf = (name: string) => {
  const edit = EDITS.find((it) => it.name === name);
  if (edit === undefined) throw new Error(`no edit ${name}`);
  return runEdit(edit);
};

/** Code, and the text that it points at. */
const told = (name: string): readonly (readonly [Code, string])[] => {
  const { plan, after } = editOf(name);
  return planDiagnostics(plan, after.model).map(({ code, span }) => [
    code,
    span.source.text.slice(span.start, span.end),
  ]);
};

describe('a change that breaks live flows', () => {
  it.each<readonly [string, Code, string]>([
    ['remove-a-leaf', 'plan/cluster-leaves', 'fleet'],
    ['retire-a-leaf', 'plan/cluster-leaves', 'oslo'],
    ['rename-a-cluster', 'plan/cluster-leaves', 'bergen'],
    ['remove-a-shortcut', 'plan/link-removed', 'milan'],
    ['change-a-node-port', 'plan/gateway-changes', '{ between: [rome, milan], nodePort: 32000 }'],
    ['change-a-key', 'plan/changes-trust', 'rome'],
    ['edit-the-lock-by-hand', 'plan/view-moves', 'europe'],
    ['upgrade-liqo-from-1.1-to-1.2', 'plan/breaks-flows', 'europe'],
    ['drain-a-consumer', 'plan/sharing-ends', 'rome'],
    ['stop-sharing', 'plan/sharing-ends', 'rome'],
    ['withdraw-a-namespace', 'plan/sharing-ends', 'rome'],
    ['offload-a-namespace-elsewhere', 'plan/sharing-ends', 'rome'],
    ['replace-an-authentication-key', 'plan/changes-trust', 'rome'],
    ['reach-a-provider-elsewhere', 'plan/changes-trust', 'rome'],
    ['lose-an-answer', 'plan/authentication-changes', 'rome'],
    ['take-bundles-from-another-repository', 'plan/changes-trust', 'fleet'],
    ['apply-a-bundle-to-another-server', 'plan/changes-trust', 'rome'],
    ['take-images-from-another-registry', 'plan/changes-trust', 'europe'],
    ['change-an-api-server', 'plan/changes-trust', 'rome'],
    ['turn-on-gitops', 'plan/changes-trust', 'fleet'],
    ['remove-an-assertion', 'plan/demands-less', 'rome'],
    ['link-clusters-that-share', 'plan/virtual-node-restarts', 'rome'],
  ])('is told where the topology asks for it: %s', (name, code, at) => {
    expect(told(name)).toContainEqual([code, at]);
  });

  it('is the only thing told', () => {
    const names = [
      'nothing-changes',
      'add-a-leaf',
      'add-a-shortcut',
      'change-a-label',
      'add-an-assertion',
      'tighten-an-assertion',
      'widen-an-assertion',
    ];
    const ofSharing = ['share-with-a-cluster', 'collect-the-answers', 'offload-a-namespace', 'add-a-slice'];
    for (const name of [...names, ...ofSharing]) {
      expect(told(name), name).toEqual([]);
    }
  });

  it('has the first steps as its hint, and names the rest where there are many', () => {
    const { plan, after } = editOf('rename-a-cluster');
    const [rename] = planDiagnostics(plan, after.model);
    expect(rename?.hint).toMatch(/^pause its GitOps tool.*; provide the Secrets.*; "weft plan" lists all 6 steps$/);
  });

  it('becomes one annotation a place, however many alike there are', () => {
    const { plan, after } = editOf('delete-half-the-fleet');
    const lines = printAnnotations(planDiagnostics(plan, after.model), (it) => it).split('\n');
    expect(lines.filter((it) => it.includes('plan/cluster-leaves'))).toHaveLength(1);
    expect(lines[0]).toContain('leaf-5 leaves the fleet, leaf-6 leaves the fleet, leaf-7 leaves the fleet and 2 more');
  });

  it('is shown where it is unlike many others', () => {
    const count = RUNS_ALL ? 300 : 60;
    const other = Math.floor(count * 0.7);
    const fleet = (addressOf: (index: number) => string): string =>
      [
        'version: 1\nname: fleet\nhub: hub\ndefaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }',
        'clusters:\n  hub: { podCIDR: 10.1.0.0/16 }',
        ...Array.from(
          { length: count },
          (_, i) => `  leaf-${i}: { gateway: ${addressOf(i)}, podCIDR: 10.${10 + (i >> 8)}.${i & 255}.0/24 }`,
        ),
      ].join('\n');
    const { plan, after } = runEdit({
      name: 'move-gateways',
      fleet: fleet((i) => `203.0.${112 + (i >> 8)}.${i & 255}`),
      topology: Array.from({ length: count }, (_, i) => [
        `leaf-${i}: { gateway: 203.0.${112 + (i >> 8)}.${i & 255},`,
        `leaf-${i}: { gateway: ${i === other ? '192.0.2.9' : `198.51.${100 + (i >> 8)}.${i & 255}`},`,
      ]),
    });
    const printed = printAnnotations(planDiagnostics(plan, after.model), (it) => it);
    expect(printed).toContain('192.0.2.9');
    expect(printed.trim().split('\n')).toHaveLength(10);
  });

  it('becomes a SARIF result with rule, level, message and region', () => {
    const { plan, after } = editOf('swap-the-hub');
    const context = { version: '0.0.0', describe: describeRule, pathOf: (path: string) => path };
    const sarif = JSON.parse(printSarif(planDiagnostics(plan, after.model), context));
    const [run] = sarif.runs;
    expect([sarif.version, run.tool.driver.name]).toEqual(['2.1.0', 'weft']);
    expect(run.results.length).toBeGreaterThan(1);
    for (const it of run.results) {
      expect(run.tool.driver.rules[it.ruleIndex].id).toBe(it.ruleId);
      expect(it.level).toBe('warning');
      expect(it.message.text.length).toBeGreaterThan(20);
      const { artifactLocation, region } = it.locations[0].physicalLocation;
      expect(artifactLocation.uri).toBe('topology.yaml');
      expect(region.endLine > region.startLine || region.endColumn > region.startColumn).toBe(true);
      for (const number of Object.values(region)) expect(number).toBeGreaterThan(0);
    }
  });
});

describe('files that somebody edited', () => {
  const { before } = editOf('nothing-changes');

  it('are told, and their meaning where they have one', () => {
    const path = 'rome/peers/europe/europe.yaml';
    const bundle = new Map(before.bundle).set('rome/nftables/europe.nft', '# mine\n');
    const edited = {
      ...before,
      bundle: inFolders(bundle.set(path, (bundle.get(path) ?? '').replace('wireguard-client', 'mine'))),
    };
    const plan = planBetween(edited, before);
    expect(plan.changes.map((it) => it.id)).toEqual(['template-changed rome/europe', 'files-changed rome']);
    expect(plan.files.map((it) => it.explainedBy)).toEqual([['files-changed rome'], ['template-changed rome/europe']]);
  });

  it('are told when weft would remove or write them', () => {
    const bundle = new Map(before.bundle).set('rome/more.yaml', 'kind: More\n');
    bundle.delete('milan/helm-values.yaml');
    const plan = planBetween({ ...before, bundle: inFolders(bundle) }, before);
    expect(plan.files.map((it) => `${it.change} ${it.path}`)).toEqual([
      'add milan/helm-values.yaml',
      'remove rome/more.yaml',
    ]);
    expect(plan.files.every((it) => it.explainedBy.length > 0)).toBe(true);
  });
});
