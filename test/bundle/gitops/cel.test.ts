import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import {
  CONFIGURATION_HEALTH,
  GATEWAY_HEALTH,
  OFFLOADING_HEALTH,
  SHARING_HEALTH,
} from '../../../src/bundle/gitops/flux-health.ts';
import { type Answer, evaluateCel, type LiveObject } from './cel.ts';

interface Recorded {
  readonly expression: string;
  readonly answers: readonly (readonly [fields: LiveObject, answer: Answer])[];
}

const RECORDED = JSON.parse(
  readFileSync(new URL('../../vectors/cel/answers.json', import.meta.url), 'utf8'),
) as readonly Recorded[];

it.each(RECORDED.map((it) => [it.expression, it.answers] as const))('answers as Flux: %s', (expression, answers) => {
  expect(answers.map(([fields]) => evaluateCel(expression, fields))).toEqual(answers.map(([, answer]) => answer));
});

it('is compared about every expression of a health check', () => {
  const all = [CONFIGURATION_HEALTH, ...GATEWAY_HEALTH, ...SHARING_HEALTH, ...OFFLOADING_HEALTH];
  const written = all.flatMap(({ failed, current }) => (typeof failed === 'string' ? [failed, current] : [current]));
  const recorded = new Set(RECORDED.map((it) => it.expression));
  expect(written.filter((it) => !recorded.has(it))).toEqual([]);
  // Each expression was true, and false, for some object.
  for (const { answers } of RECORDED)
    expect(answers.map(([, it]) => it)).toEqual(expect.arrayContaining([true, false]));
});
