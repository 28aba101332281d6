import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLines, USUAL_NAMES } from '../../../src/answers/report/live-commands.ts';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { printPlan } from '../../../src/answers/report/plan/print-plan.ts';
import { printPlanMarkdown } from '../../../src/answers/report/plan/print-plan-markdown.ts';
import type { StepCommand } from '../../../src/plan/step-command.ts';
import { deleteWithoutGateway, untilAsCompiled, untilDeleted } from '../../../src/plan/step-command.ts';
import { unknownIn } from '../../docs/pages.ts';
import { workspace } from '../../host/cli/memory-host.ts';
import { stateOf } from '../../plan/run-edit.ts';
import { drawn } from '../../support/drawn.ts';
import { compileGolden, goldenNames } from '../../support/golden.ts';
import { EMPTY_STATE, planOf } from '../../support/plan-of.ts';

const EDITS = new URL('../../plan/edits/', import.meta.url).pathname;

interface PrintedPlan {
  readonly name: string;
  readonly text: string;
  readonly markdown: string;
}

/** The recorded plans of all edits. */
const ofEdits = (): readonly PrintedPlan[] =>
  readdirSync(EDITS).map((name) => ({
    name,
    text: readFileSync(join(EDITS, name, 'plan.txt'), 'utf8'),
    markdown: readFileSync(join(EDITS, name, 'plan.md'), 'utf8'),
  }));

/** The plans of fleets from nothing. */
const ofFleets = (): readonly PrintedPlan[] =>
  drawn(goldenNames()).flatMap((name) => {
    const compiled = compileGolden(name);
    if (!compiled.ok) return [];
    const plan = planOf({ base: EMPTY_STATE, head: stateOf(compiled.value) });
    const text = printPlan(plan, { paint: plainPaint, verbose: false });
    return [{ name, text, markdown: printPlanMarkdown(plan, { limit: 60_000 }) }];
  });

/** The lines below "What to do": steps, and their commands. */
const stepLinesIn = (text: string): readonly string[] =>
  (/^What to do\n((?: {2}.*\n)+)/m.exec(text)?.[1] ?? '').split('\n').slice(0, -1);

const isCommand = (line: string): boolean => line.startsWith('     ') && !line.startsWith('     #');

describe('the steps of a plan', () => {
  it('end with the command that proves them, in text and in Markdown', () => {
    const printed = [...ofEdits(), ...ofFleets()];
    const withSteps = printed.filter(({ text }) => stepLinesIn(text).length > 0);
    expect(withSteps.length).toBeGreaterThan(100);
    for (const { name, text, markdown } of withSteps) {
      const lines = stepLinesIn(text);
      const last = lines.filter((it) => !it.startsWith('     #')).at(-1) ?? '';
      expect(last, name).toMatch(/^ {5}weft drift --wait 10m( --context [a-z0-9-]+)+$/);
      const [, list = ''] = /^### What to do\n([\s\S]*?)\n(?=###)/m.exec(markdown) ?? [];
      expect(
        list
          .match(/^ *weft .*$/gm)
          ?.at(-1)
          ?.trim(),
        name,
      ).toBe(last.trim());
      for (const it of lines.filter(isCommand))
        expect(it.trim().startsWith('kubectl --context ') ? undefined : unknownIn(it.trim()), name).toBe(undefined);
    }
  });

  it('name a command where something is compared, and no file to look into', () => {
    const steps = ofEdits().flatMap(({ text }) => stepLinesIn(text).filter((it) => !isCommand(it)));
    expect(steps.filter((it) => /\bcompare\b|expected\//.test(it))).toEqual([]);
  });

  it.each([
    untilAsCompiled('rome', 'milan'),
    { run: 'plan', clusters: ['rome'] },
    { run: 'collect', clusters: ['rome', 'milan'] },
    { run: 'check-answers', clusters: ['rome'] },
  ] satisfies readonly StepCommand[])('have commands whose arguments weft reads: %j', async (command) => {
    const [line = ''] = commandLines([command], USUAL_NAMES, false);
    const { code, stderr } = await workspace().weft(...line.split(' ').slice(1));
    expect([code, stderr], line).toEqual([2, expect.stringContaining('there is no topology here')]);
  });
});

describe('the commands of steps', () => {
  const many = Array.from({ length: 20 }, (_, i) => `leaf-${i}`);

  it.each([
    [
      'a context of another name',
      { ...USUAL_NAMES, contexts: new Map([['rome', 'admin@rome']]) },
      [
        'weft drift --wait 10m --context rome=admin@rome --context milan',
        'kubectl --context admin@rome -n demo wait --for=delete pod/a --timeout=10m',
      ],
    ],
    [
      'a topology and a context that a shell would split',
      { ...USUAL_NAMES, topology: 'a b.yaml', contexts: new Map([['rome', "it's"]]) },
      [
        "weft drift 'a b.yaml' --wait 10m --context 'rome=it'\\''s' --context milan",
        "kubectl --context 'it'\\''s' -n demo wait --for=delete pod/a --timeout=10m",
      ],
    ],
    [
      'dumps alone',
      { ...USUAL_NAMES, dumps: ['dumps/'] },
      [
        'weft drift --live dumps/ # with new dumps',
        'kubectl --context rome -n demo wait --for=delete pod/a --timeout=10m',
      ],
    ],
  ] as const)('are spelled as the call: %s', (_, names, lines) => {
    expect(
      commandLines([untilAsCompiled('rome', 'milan'), untilDeleted('rome', 'demo', 'pod/a')], names, false),
    ).toEqual(lines);
  });

  it('are one word where a name in a file is more', () => {
    const namespace = '$(reboot) a';
    const commands = [
      { run: 'delete-links', cluster: 'rome', namespace },
      deleteWithoutGateway('rome', namespace, 'gw; reboot'),
      { run: 'unmark-namespace', cluster: 'rome', namespace },
      { run: 'delete-policies', cluster: 'rome', namespace },
    ] satisfies readonly StepCommand[];
    for (const line of commandLines(commands, USUAL_NAMES, true)) {
      expect(line).toContain("'$(reboot) a'");
      expect(line.replaceAll(/'[^']*'/g, '')).not.toMatch(/reboot/);
    }
  });

  it('name as many clusters as a person pastes, and all of them with -v', () => {
    const [first = '', rest = '', ...more] = commandLines([untilAsCompiled(...many)], USUAL_NAMES, false);
    expect(first.match(/--context/g)).toHaveLength(6);
    expect([rest, more]).toEqual(['# then the other 14 clusters in the same way', []]);
    expect(commandLines([untilAsCompiled(...many)], USUAL_NAMES, true)[0]?.match(/--context/g)).toHaveLength(20);
  });

  it('are counted where there are many of them', () => {
    const lines = commandLines(
      many.map((it) => untilDeleted(it, null, 'namespace/demo')),
      USUAL_NAMES,
      false,
    );
    expect(lines).toHaveLength(5);
    expect(lines.at(-1)).toBe('# and 16 more like these');
  });
});
