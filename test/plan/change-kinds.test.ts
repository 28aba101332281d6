import { describe, expect, it } from 'vitest';
import { inFolders } from '../../src/base/core/folder-files.ts';
import { type ChangeWords, type CodeOf, changeKind, type WordedKind } from '../../src/plan/change-kind.ts';
import {
  CHANGE_KINDS,
  type DisruptiveOf,
  type kindOf,
  type ReasonOf,
  type StepOf,
} from '../../src/plan/changes/change-kinds.ts';
import type { DifferenceKind } from '../../src/plan/difference.ts';
import { EDITS } from './edits.ts';
import { planBetween, runEdit } from './run-edit.ts';

/*
 * Most of what this file asserts is asserted by the compiler: a line below `@ts-expect-error` that compiles is an error of
 * `npm run typecheck`.
 */

type Kinds = { readonly [K in DifferenceKind]: WordedKind<K> };
type MtuWords = ChangeWords<'mtu-changed', ReasonOf<'mtu-changed'>, StepOf<'mtu-changed'>>;
const { words, ...decisions } = CHANGE_KINDS['mtu-changed'];
const { why, steps } = words;

describe('the table of kinds', () => {
  it('does not compile without an entry, or without words, for a kind', () => {
    const { 'mtu-changed': kind, ...otherKinds } = CHANGE_KINDS;
    // @ts-expect-error One kind has no entry.
    otherKinds satisfies Kinds;
    // @ts-expect-error One kind has no words.
    ({ ...otherKinds, 'mtu-changed': decisions }) satisfies Kinds;
    ({ ...otherKinds, 'mtu-changed': kind }) satisfies Kinds;
    // @ts-expect-error The entry of one kind is not the entry of another.
    ({ ...otherKinds, 'mtu-changed': CHANGE_KINDS['key-added'] }) satisfies Kinds;
  });

  it('does not compile without words for a reason or a step, nor with words for others', () => {
    // @ts-expect-error The reason has no words.
    ({}) satisfies MtuWords['why'];
    // @ts-expect-error There is no such reason.
    ({ ...why, 'gateways-explode': 'they do' }) satisfies MtuWords['why'];
    // @ts-expect-error The step has no words.
    ({}) satisfies MtuWords['steps'];
    // @ts-expect-error There is no such step.
    ({ ...steps, 'run-away': { what: 'run', on: () => 'away' } }) satisfies MtuWords['steps'];
    why satisfies MtuWords['why'];
    steps satisfies MtuWords['steps'];
    const mtuChanged = changeKind('mtu-changed').decided(decisions);
    // @ts-expect-error The words of a kind are those of its own reasons.
    mtuChanged.worded({ ...words, why: {} });
    // @ts-expect-error The same about its steps.
    mtuChanged.worded({ ...words, steps: {} });
    mtuChanged.worded(words);
  });

  it('does not compile without a code for a kind that may break live flows, nor with one for another kind', () => {
    // @ts-expect-error A change of the MTU always breaks live flows.
    null satisfies CodeOf<DisruptiveOf<'mtu-changed'>>;
    // @ts-expect-error A removed cluster may break live flows.
    null satisfies CodeOf<DisruptiveOf<'cluster-removed'>>;
    // @ts-expect-error A new link breaks nothing.
    'plan/breaks-flows' satisfies CodeOf<DisruptiveOf<'link-added'>>;
    // @ts-expect-error The kind itself does not compile without its code.
    ({ ...CHANGE_KINDS['mtu-changed'], code: null }) satisfies ReturnType<typeof kindOf<'mtu-changed'>>;
  });

  it('knows every reason and every step by its own name', () => {
    // A name that is any `string` would compile with any words.
    type Wide = { [K in DifferenceKind]: string extends ReasonOf<K> | StepOf<K> ? K : never }[DifferenceKind];
    const noneIsWide: [Wide] extends [never] ? true : false = true;
    expect(noneIsWide).toBe(true);
    const names = Object.values(CHANGE_KINDS).flatMap(({ words }) => [
      ...Object.keys(words.why),
      ...Object.keys(words.steps),
    ]);
    expect(names.filter((it) => !/^[a-z]+(-[a-z]+)*$/.test(it))).toEqual([]);
  });
});

describe('what no recorded edit does', () => {
  const { before } = runEdit(EDITS.find((it) => it.name === 'nothing-changes') ?? { name: '' });

  it('is a lock that changes alone', () => {
    const lines = before.lock.split('\n').filter((it) => !it.includes('/port/'));
    const { changes } = planBetween({ ...before, lock: lines.join('\n') }, before);
    expect(changes).toMatchObject([{ id: 'lock-changed', disruptive: false, removed: 0, clusters: [] }]);
  });

  it('is bundles of before there were annotations with views: nothing breaks', () => {
    const bundle = new Map(
      [...before.bundle].map(([path, text]) => [path, text.replaceAll(/^ {4}liqo-weft\/.*\n/gm, '')]),
    );
    const plan = planBetween({ ...before, bundle: inFolders(bundle) }, before);
    expect(new Set(plan.changes.map((it) => it.kind))).toEqual(new Set(['annotations-changed']));
    expect(plan.changes.filter((it) => it.disruptive || it.steps.length > 0)).toEqual([]);
    expect(plan.files.map((it) => it.path).filter((it) => !/\/peers\//.test(it))).toEqual([]);
    expect(plan.files.filter((it) => it.explainedBy.length === 0)).toEqual([]);
  });

  it('is bundles of before kept objects were ignored when they are extraneous: nothing breaks', () => {
    const without = (text: string) => text.replaceAll(/^ {4}argocd\.argoproj\.io\/compare-options: .*\n/gm, '');
    const bundle = new Map(
      [...before.bundle].map(([path, text]) => [path, path.startsWith('_') ? text : without(text)]),
    );
    const plan = planBetween({ ...before, bundle: inFolders(bundle) }, before);
    expect(plan.files.length).toBeGreaterThan(0);
    expect(new Set(plan.changes.map((it) => it.kind))).toEqual(new Set(['annotations-changed']));
    expect(plan.changes.filter((it) => it.disruptive || it.steps.length > 0)).toEqual([]);
  });

  it('is an object that a tool may delete from now on: no mere annotation', () => {
    const bundle = new Map(
      [...before.bundle].map(([path, text]) => [path, text.replace('Prune=false,Delete=false', 'Delete=false')]),
    );
    const plan = planBetween(before, { ...before, bundle: inFolders(bundle) });
    expect(new Set(plan.changes.map((it) => it.kind))).toEqual(new Set(['files-changed']));
  });

  it('is files that only a formatter has touched', () => {
    const lists = (text: string) => text.replaceAll(/^ {2}(?= *- )/gm, '');
    const bundle = new Map([...before.bundle].map(([path, text]) => [path, lists(text)]));
    const plan = planBetween({ ...before, bundle: inFolders(bundle) }, before);
    expect(new Set(plan.changes.map((it) => it.kind))).toEqual(new Set(['layout-changed']));
    expect(plan.files.length).toBeGreaterThan(10);
    expect(plan.changes.filter((it) => it.disruptive || it.steps.length > 0)).toEqual([]);
    expect(plan.files.filter((it) => it.explainedBy.length === 0)).toEqual([]);
  });

  it('is files on top of `out/` that weft does not write: one change, whatever their number', () => {
    const bundle = new Map(before.bundle)
      .set('one.txt', '1\n')
      .set('two.txt', '2\n')
      .set('_argocd/mine.yaml', 'a: b\n');
    const plan = planBetween({ ...before, bundle: inFolders(bundle) }, before);
    expect(plan.changes.map((it) => it.id)).toEqual(['files-changed *']);
    expect(plan.files.map((it) => it.explainedBy)).toEqual([
      ['files-changed *'],
      ['files-changed *'],
      ['files-changed *'],
    ]);
  });
});
