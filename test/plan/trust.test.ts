import { describe, expect, it } from 'vitest';
import { planDocument } from '../../src/answers/report/plan/plan-answer.ts';
import { printPlanMarkdown } from '../../src/answers/report/plan/print-plan-markdown.ts';
import { inFolders } from '../../src/base/core/folder-files.ts';
import type { Compiled } from '../../src/compile.ts';
import { type Demand, isStronger } from '../../src/plan/demand.ts';
import { EMPTY_STATE, planOf } from '../support/plan-of.ts';
import { EDITS } from './edits.ts';
import { planBetween, runEdit, stateOf } from './run-edit.ts';

const editOf = (name: string) => {
  const edit = EDITS.find((it) => it.name === name);
  if (edit === undefined) throw new Error(`no edit ${name}`);
  return runEdit(edit);
};

/** The fleet with a text of its files replaced, like by hand. */
const edited = (
  it: Compiled,
  ...replacements: readonly (readonly [path: RegExp, from: string, to: string])[]
): Compiled => {
  const files = new Map(it.bundle);
  for (const [path, from, to] of replacements) {
    const found = [...files].filter(([name, text]) => path.test(name) && text.includes(from));
    expect(found.length, from).toBeGreaterThan(0);
    for (const [name, text] of found)
      files.set(
        name,
        text.replaceAll(from, () => to),
      );
  }
  return { ...it, bundle: inFolders(files) };
};

const trustIn = (before: Compiled, after: Compiled): readonly string[] =>
  planDocument(planBetween(before, after, { withTopology: false }))
    .changes.filter((it) => it.trust)
    .map((it) => it.text);

const plain = (markdown: string): string => markdown.replaceAll('\u200b', '').replaceAll('\\', '');

const SOURCES = [
  'take-bundles-from-another-repository',
  'take-bundles-of-another-revision',
  'take-bundles-from-another-folder',
  'take-bundles-from-another-object',
  'apply-a-bundle-to-another-server',
  'apply-a-bundle-to-a-server-instead-of-a-name',
  'apply-a-bundle-with-another-kubeconfig',
  'apply-bundles-with-other-permissions',
  'turn-on-gitops',
  'turn-on-a-tool-while-a-leaf-comes',
];
const IMAGES = [
  'take-images-from-another-registry',
  'run-another-tag',
  'go-back-to-the-images-of-the-release',
  'get-a-template-with-images-of-a-mirror',
  'make-a-gateway-from-a-foreign-template',
];
const SHARES = [
  'reach-a-provider-elsewhere',
  'replace-an-authentication-key',
  'get-credentials-from-elsewhere',
  'change-an-api-server',
  'change-a-key',
];

describe('a change of trust', () => {
  it.each([...SOURCES, ...IMAGES, ...SHARES])('is disruptive, counted, and named before all else: %s', (name) => {
    const { plan, planOfFiles } = editOf(name);
    for (const it of [plan, planOfFiles]) {
      const document = planDocument(it);
      const trusted = document.changes.filter((change) => change.trust);
      expect(trusted.length).toBeGreaterThan(0);
      expect(trusted.every((change) => change.disruptive && change.steps.length > 0)).toBe(true);
      expect(document.counts).toMatchObject({ trust: trusted.length });
      expect(document.line).toContain('who is trusted changes');
      const markdown = plain(printPlanMarkdown(it, { limit: 60_000 }));
      expect(markdown).toMatch(/^\*\*Plan: .*\*\*\n\n> \[!CAUTION\]\n> - trust: /);
      for (const { text } of trusted) expect(markdown.split('### ')[0]).toContain(text);
      expect(markdown).toMatch(/### Changes\n\n#### Trust\n/);
    }
  });

  it('has nobody in it who is new with the fleet, or with a cluster', () => {
    for (const name of ['take-bundles-from-another-repository', 'take-images-from-another-registry']) {
      const first = planOf({ base: EMPTY_STATE, head: stateOf(editOf(name).after) });
      expect(first.changes.filter((it) => it.isTrust)).toEqual([]);
    }
    const { plan } = editOf('turn-on-a-tool-while-a-leaf-comes');
    expect(plan.changes.filter((it) => it.isTrust).map((it) => it.id)).toEqual(['gitops-changed Flux/add']);
  });

  it('is no release with its own images, and no cluster that keeps its server under another name', () => {
    for (const name of [
      'upgrade-liqo-from-1.1-to-1.2',
      'change-a-template',
      'move-a-leaf-to-eks',
      'rename-a-cluster-that-argo-cd-knows-by-name',
    ]) {
      const { plan, planOfFiles } = editOf(name);
      expect(
        // A renamed cluster has other keys, which are a change of trust by themselves.
        [plan, planOfFiles].flatMap((it) =>
          it.changes.filter((change) => change.isTrust && change.kind !== 'key-changed'),
        ),
        name,
      ).toEqual([]);
    }
  });

  it('shows what a file of the base has had, whoever has written it', () => {
    const { before } = editOf('take-bundles-from-another-repository');
    const forged = edited(
      before,
      [/^_argocd\/applicationset/, 'https://git.example.com/fleet.git', 'https://git.example.net/fleet.git'],
      [/^_flux\/clusters\/milan/, 'name: fleet', 'name: theirs'],
      [/^_argocd\/appproject/, '- "https://git.example.com/fleet.git"', '- "*"'],
      [/^_argocd\/applicationset/, '"{{.values.server}}"', '"https://theirs.example.net"'],
    );
    expect(trustIn(forged, before)).toEqual([
      'Argo CD takes the bundles from https://git.example.com/fleet.git instead of https://git.example.net/fleet.git',
      'the project of Argo CD allows the repositories of the bundles alone instead of *',
      'Argo CD applies europe to the cluster that it calls europe instead of https://theirs.example.net',
      'Argo CD applies milan to the cluster that it calls milan instead of https://theirs.example.net',
      'Argo CD applies rome to https://rome.example.com:6443 instead of https://theirs.example.net',
      'Flux takes the bundles from its object GitRepository fleet instead of GitRepository fleet and GitRepository theirs',
    ]);
    const { before: mirrored } = editOf('run-another-tag');
    const image = edited(mirrored, [
      /gateway-templates/,
      'image: "mirror.example.com/liqo/gateway:v1.2.0"',
      'image: "theirs.example.net/it:1"',
    ]);
    expect(trustIn(image, mirrored)).toEqual([
      'the gateways of europe run the images of mirror.example.com/liqo with tag v1.2.0 instead of the images of mirror.example.com/liqo with tag v1.2.0 and theirs.example.net/it:1',
    ]);
  });

  it('shows no password, and is told where nothing but the password differs', () => {
    const { before } = editOf('take-bundles-from-another-repository');
    const url = 'https://git.example.com/fleet.git';
    const withPassword = (it: string) => edited(before, [/^_/, url, `https://bot:${it}@git.example.com/fleet.git`]);
    const plan = planBetween(withPassword('hunter2'), withPassword('hunter3'));
    const texts = JSON.stringify(planDocument(plan)) + printPlanMarkdown(plan, { limit: 60_000 });
    expect(texts).not.toMatch(/hunter/);
    expect(plan.changes.filter((it) => it.isTrust)).toHaveLength(2);
  });

  it('shows where two long values differ', () => {
    const { before } = editOf('take-bundles-from-another-repository');
    const long = `https://git.example.com/${'group/'.repeat(60)}`;
    const [was, is] = ['one', 'two'].map((it) =>
      edited(before, [/^_/, 'https://git.example.com/fleet.git', `${long}${it}.git`]),
    );
    if (was === undefined || is === undefined) throw new Error('there is no edit');
    const [text = ''] = trustIn(was, is);
    expect(text).toMatch(/group\/two\.git instead of .*group\/one\.git$/);
    expect(text.length).toBeLessThan(400);
  });
});

describe('what a topology demands', () => {
  it.each([
    ['reachable', null, 'any-link', true],
    ['reachable', 'any-link', null, false],
    ['reachable', 'any-link', 'europe', false],
    ['unreachable', 'europe', null, true],
    ['unreachable', null, 'europe', false],
  ] as const)('is more, or less, with a part that may fail: %s, %s, then %s', (expect_, was, is, more) => {
    const demand = (without: string | null): Demand => ({
      ...{ from: 'rome', to: 'milan', expect: expect_, via: 'hub', by: null, flow: null, without },
      ...{ named: [], applies: [[], []] },
    });
    expect(isStronger(demand(was), demand(is))).toBe(more);
    expect(isStronger(demand(was), { ...demand(is), flow: 'to namespace shop' })).toBe(false);
  });

  it.each<readonly [string, readonly (readonly [string, boolean])[]]>([
    ['remove-an-assertion', [['no longer demanded: rome must not reach milan over a link of the two', true]]],
    [
      'remove-an-assertion-with-what-it-forbade',
      [['no longer demanded: rome must not reach milan over a link of the two', true]],
    ],
    [
      'weaken-an-assertion',
      [['demanded now: milan must reach oslo; before: milan must reach oslo through a hub', true]],
    ],
    [
      'take-a-cluster-out-of-an-assertion',
      [['no longer demanded of bari: clusters with region=south must reach europe', true]],
    ],
    [
      'demand-an-assertion-without-a-part',
      [
        [
          'demanded now: milan must reach oslo through a hub without rome; before: milan must reach oslo through a hub',
          false,
        ],
      ],
    ],
    ['add-an-assertion', [['demanded from now on: rome must reach oslo', false]]],
    ['remove-a-leaf-with-its-assertion', [['no longer demanded: milan must reach oslo through a hub', false]]],
    [
      'widen-an-assertion',
      [
        ['no longer demanded: clusters with region=south must reach europe', false],
        ['demanded from now on: every cluster must reach europe', false],
      ],
    ],
    ['rename-a-cluster-in-assertions', []],
    ['nothing-changes', []],
  ])('is part of its plan, with a caution where it is less: %s', (name, expected) => {
    const { plan } = editOf(name);
    const found = planDocument(plan).changes.filter((it) => it.kind === 'assertion-changed');
    expect(found.map((it) => [it.text, it.disruptive])).toEqual(expected);
    const markdown = plain(printPlanMarkdown(plan, { limit: 60_000 }));
    for (const [text, isLess] of expected) {
      expect(markdown).toContain(`\` ${text}`);
      expect(markdown.includes(`> - assertions: ${text}`)).toBe(isLess);
    }
  });
});
