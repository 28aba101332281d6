import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { plainPaint } from '../../src/answers/report/paint.ts';
import { planDiagnostics } from '../../src/answers/report/plan/plan-diagnostics.ts';
import { stepGroups } from '../../src/answers/report/plan/plan-steps.ts';
import { printPlan } from '../../src/answers/report/plan/print-plan.ts';
import { MARKDOWN_LIMIT, printPlanMarkdown } from '../../src/answers/report/plan/print-plan-markdown.ts';
import { CODES, type Code } from '../../src/base/diagnostics/codes.ts';
import { CHANGE_KINDS } from '../../src/plan/changes/change-kinds.ts';
import { isEmptyPlan } from '../../src/plan/plan-changes.ts';
import { touchedNetwork } from '../../src/plan/touched-network.ts';
import { expectWholeDiff } from './diff/diff-between.ts';
import { EDITS, STOPPING } from './edits.ts';
import { runEdit } from './run-edit.ts';
import { unnamedLines } from './unnamed-lines.ts';

const FOLDER = new URL('./edits/', import.meta.url).pathname;

/** `UPDATE_GOLDEN=1` writes what is produced over what is recorded; CI never does. */
const updating = process.env['UPDATE_GOLDEN'] === '1' && !process.env['CI'];

/** The hints of all others are steps of the plan, which `replay-laws.test.ts` carries out. */
const hasSteps = (code: Code): boolean => code.startsWith('plan/') && !STOPPING.includes(code);

describe('the plan of an edit', () => {
  const kinds = new Set<string>();
  const codes = new Set<Code>();
  const empty: string[] = [];

  it.each(EDITS.map((edit) => [edit.name, edit] as const))('%s', (name, edit) => {
    const { plan, planOfFiles, before, after, edit: lines } = runEdit(edit);
    const files = {
      'edit.txt': `${lines === '' ? '(nothing)' : lines}\n`,
      'plan.txt': printPlan(plan, { paint: plainPaint, verbose: false }),
      'plan.md': printPlanMarkdown(plan, { limit: MARKDOWN_LIMIT }),
    };
    if (updating) mkdirSync(join(FOLDER, name), { recursive: true });
    for (const [file, text] of Object.entries(files)) {
      const path = join(FOLDER, name, file);
      if (updating) writeFileSync(path, text);
      else expect(text, `${name}/${file}`).toBe(existsSync(path) ? readFileSync(path, 'utf8') : '(not recorded)');
    }
    expect(unnamedLines(before, after, plan)).toEqual([]);
    // Every byte is explained, also when only files contain the earlier state.
    for (const it of [plan, planOfFiles]) {
      expect(it.changes.filter((change) => change.kind === 'files-changed')).toEqual([]);
      expect(it.files.filter((file) => file.explainedBy.length === 0)).toEqual([]);
    }
    expectWholeDiff(plan, before, after);
    for (const { kind } of plan.changes) kinds.add(kind);
    const steps = stepGroups(plan).map(({ what }) => what);
    for (const { code, hint } of planDiagnostics(plan, after.model)) {
      if (!hasSteps(code) || !hint) continue;
      codes.add(code);
      expect(steps.reduce((left, step) => left.replace(step, ''), hint)).toMatch(
        /^[; ]*("weft plan" lists all \d+ steps)?$/,
      );
    }
    if (isEmptyPlan(plan)) {
      empty.push(name);
      expect(touchedNetwork(plan)).toEqual({ clusters: [], links: [] });
    }
  });

  it('has a change of every kind, in some edit, but for what no edit of a topology does', () => {
    const unseen = Object.keys(CHANGE_KINDS).filter((kind) => !kinds.has(kind));
    expect(unseen).toEqual([
      ...[
        'cluster-returned',
        'decision-picked',
        'lock-changed',
        'layout-changed',
        'annotations-changed',
        'files-changed',
      ],
    ]);
    expect(empty).toContain('nothing-changes');
  });

  it('has a hint of every code that has one, in some edit', () => {
    const all = (Object.keys(CODES) as readonly Code[]).filter(hasSteps);
    expect([...codes].sort()).toEqual(all.sort());
  });

  it('is recorded for these edits and for no others', () => {
    const names = EDITS.map((it) => it.name).sort();
    const recorded = readdirSync(FOLDER).sort();
    if (updating) for (const it of recorded) if (!names.includes(it)) rmSync(join(FOLDER, it), { recursive: true });
    if (!updating) expect(recorded).toEqual(names);
  });
});
