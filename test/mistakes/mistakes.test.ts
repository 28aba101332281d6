import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runWeft } from '../../src/host/cli/run-weft.ts';
import { memoryHost, workspace } from '../host/cli/memory-host.ts';
import { FLEET, MISTAKES, type Mistake } from './mistakes.ts';

const ANSWERS = join(import.meta.dirname, 'answers.txt');

/** The number of recorded lines of an answer: a tired user reads no more. */
const LINES = 7;

/** A mistake with its number, as the record shows it. */
const ALL = Object.entries(MISTAKES)
  .flatMap(([person, mistakes]) => mistakes.map((it) => ({ person, ...it })))
  .map((it, i) => ({ ...it, number: i + 1 }));

/** The answer of weft: exit code, then stderr before stdout, as a terminal shows them. */
async function answerTo({ typed = [], files = {}, run = 'validate', from = '.' }: Mistake): Promise<string> {
  const topology = typed.reduce((text, [instead, other]) => {
    expect(text).toContain(instead);
    return text.replace(instead, () => other);
  }, FLEET);
  const there = Object.entries({ 'topologies/topology.yaml': topology, ...files });
  const { folder } = workspace(
    Object.fromEntries(there.flatMap(([path, text]) => (text === null ? [] : [[path, text]]))),
  );
  mkdirSync(join(folder, from), { recursive: true });
  const { host, said } = memoryHost(join(folder, from));
  const code = await runWeft(run.split(' ').filter(Boolean), host);
  const lines = (said().stderr + said().stdout).split('\n');
  return [`exit ${code}`, ...lines.slice(0, LINES)].join('\n').trimEnd();
}

const START = /^(?=\d+ [A-D] )/m;

/** The record by number. */
const recorded = (): ReadonlyMap<number, string> =>
  new Map(
    readFileSync(ANSWERS, 'utf8')
      .split(START)
      .map((it) => [Number.parseInt(it, 10), it.trimEnd()]),
  );

const printed = async (it: (typeof ALL)[number]): Promise<string> =>
  [
    `${it.number} ${it.grade} ${it.person}: ${it.mistake}`,
    `  (${it.why})`,
    ...(await answerTo(it)).split('\n').map((line) => (line === '' ? '' : `    ${line}`)),
  ].join('\n');

describe('the mistakes of tired people', () => {
  const answers = new Map<number, string>();

  it.each(ALL)('$number $mistake', async (mistake) => {
    const answer = await printed(mistake);
    answers.set(mistake.number, answer);
    if (!process.env['UPDATE_GOLDEN']) expect(answer).toBe(recorded().get(mistake.number));
  });

  it('are all recorded, and no others', () => {
    if (process.env['UPDATE_GOLDEN'] && !process.env['CI']) {
      writeFileSync(ANSWERS, `${[...answers.values()].join('\n\n')}\n`);
    }
    expect([...recorded().keys()]).toEqual(ALL.map((it) => it.number));
  });

  it('are a hundred and sixty-nine, of thirteen kinds of people, and no answer misleads', () => {
    expect([Object.keys(MISTAKES).length, ALL.length]).toEqual([13, 169]);
    expect(ALL.filter((it) => !['A', 'B'].includes(it.grade))).toEqual([]);
  });
});
