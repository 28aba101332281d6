import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/compile.ts';
import { DISTURBANCES, type Disturbance } from '../../live/drift/disturbances.ts';
import { clustersRecorded, dumpOf, recordedFleet } from '../../live/drift/recorded-fleet.ts';
import { DISTURBANCES as SIMULATED, simulateDisturbed } from '../../live/simulated/disturb.ts';
import { drawn, firstOfEach } from '../../support/drawn.ts';
import { withKeysFiles } from '../../support/keys-of.ts';
import { type Answer, TOPOLOGY, workspace } from './memory-host.ts';

/** The most lines of an answer that is read at night. */
const MOST_LINES = 25;

/** A problem in the recorded text of drift, with its cluster and the clusters in its sentence. */
interface Recorded {
  readonly cluster: string;
  readonly code: string;
  readonly message: string;
  readonly hint: string | undefined;
}

/** The recorded answer of drift about a disturbance. */
function recordedProblems({ name }: Disturbance): readonly Recorded[] {
  const text = readFileSync(new URL(`../../live/drift/cases/${name}.txt`, import.meta.url), 'utf8');
  let cluster = '';
  return text.split(/\n(?= {2}\S|\S)/).flatMap((block): readonly Recorded[] => {
    const [, named] = /^(\S+): /.exec(block) ?? [];
    if (named !== undefined) cluster = named;
    const [, code = '', message = ''] = /^ {2}(drift\/\S+) {2}(.*)/.exec(block) ?? [];
    const [, hint] = /\n {4}hint: (.*)/.exec(block) ?? [];
    return code === '' ? [] : [{ cluster, code, message, hint }];
  });
}

/** Codes that only follow from something else, or are no drift. */
const NO_CAUSES = /^drift\/(not-connected|not-there-yet|patch|tool-annotation|chosen-already|not-of-fleet)$/;

/** The pair that the first cause is about; with a cluster of it that is named in the sentence. */
function causeOf(
  disturbance: Disturbance,
): { readonly cause: Recorded; readonly pair: readonly [string, string] } | undefined {
  const names = clustersRecorded(disturbance.fleet);
  const cause = recordedProblems(disturbance).find((it) => !NO_CAUSES.test(it.code));
  if (cause === undefined) return undefined;
  const [, peer] = /peering with "([^"]+)"/.exec(cause.message) ?? [];
  const other = peer ?? names.find((it) => it !== cause.cluster && cause.message.includes(`"${it}"`));
  const pair = [cause.cluster, other ?? names.find((it) => it !== cause.cluster) ?? ''] as const;
  return other === undefined && !names.includes(pair[1]) ? undefined : { cause, pair };
}

const CASES = DISTURBANCES.flatMap((it) => {
  const found = it.code === 2 || it.code === 0 ? undefined : causeOf(it);
  return found === undefined ? [] : [{ ...found, name: it.name, disturbance: it }];
});

function disturbedFleet({ fleet, after, edit, only }: Disturbance) {
  const { files, dumps } = recordedFleet(fleet, after);
  edit?.(dumps);
  const { weft, write } = workspace(files);
  for (const [cluster, items] of Object.entries(dumps))
    if (only === undefined || only.includes(cluster)) write(`dumps/${cluster}.json`, dumpOf(items));
  return weft;
}

/** The text of an answer, or of the diagnostics in place of one. */
const textOf = ({ stdout, stderr }: Answer): string => (stdout === '' ? stderr : stdout);

const linesOf = (text: string): number => text.trimEnd().split('\n').length;

describe('weft trace --live about the pair begins with the cause after', () => {
  it.each(
    drawn(
      CASES,
      firstOfEach((it) => it.cause.code),
    ).map((it) => [it.name, it] as const),
  )('%s', async (_, it) => {
    const { cause, pair, disturbance } = it;
    const { code, ...answer } = await disturbedFleet(disturbance)('trace', ...pair, '--live', 'dumps');
    const text = textOf({ code, ...answer });
    expect(text).toContain(cause.message);
    if (cause.hint !== undefined && answer.stdout !== '') expect(text).toContain('\n  hint: ');
    const [, first] = /^.*?(drift\/[\w-]+|live\/[\w-]+)/s.exec(text) ?? [];
    expect(first).not.toMatch(NO_CAUSES);
    if (answer.stdout !== '') {
      expect(linesOf(answer.stdout)).toBeLessThan(MOST_LINES);
      expect(answer.stdout.indexOf(cause.code)).toBeLessThan(answer.stdout.indexOf(' to '));
    }
  });
});

const FILES = withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY });

function simulatedBundle() {
  const source = (path: string) => ({ path, text: FILES[`topologies/${path}`] ?? '' });
  const sources = { topology: source('topology.yaml'), keys: source('topology.keys.yaml'), lock: undefined };
  const compiled = compile(sources, { relock: [], only: null });
  if (!compiled.ok) throw new Error(compiled.diagnostics[0]?.message);
  return compiled.value.bundle;
}

/** Disturbances of which nothing is left, or which are impossible on this release. */
const LEAVE_NOTHING = ['restart', 'upgradeHalf', 'deleteAndRecreate'];

describe('weft trace --live of a simulated fleet begins with a difference after', () => {
  it.each(drawn(Object.entries(SIMULATED).filter(([name]) => !LEAVE_NOTHING.includes(name))))(
    '%s',
    async (_, disturbance) => {
      const { dumps } = simulateDisturbed(simulatedBundle(), {}, disturbance, { cluster: 'rome', peer: 'milan' });
      const { weft, write } = workspace(FILES);
      for (const [cluster, list] of dumps) write(`dumps/${cluster}.json`, JSON.stringify(list));
      const answer = await weft('trace', 'rome', 'milan', '--live', 'dumps');
      expect(textOf(answer)).toMatch(/drift\/[\w-]+/);
      if (answer.stdout === '') return;
      expect(answer.stdout).toMatch(/^Live, not git: .*\n\ndrift\/[\w-]+ {2}.*\n/);
      expect(linesOf(answer.stdout)).toBeLessThan(MOST_LINES);
    },
  );
});

/** A disturbance of drift by its name. */
function named(name: string): Disturbance {
  const found = DISTURBANCES.find((it) => it.name === name);
  if (found === undefined) throw new Error(`there is no disturbance ${name}`);
  return found;
}

describe('delivered', () => {
  it.each([
    'second-gateway',
    'second-configuration',
    'gateway-of-the-other-role',
    'recorded-lends-and-offloads-1-2-keys-swapped',
  ])('is not said where the live objects carry nothing: %s', async (name) => {
    const disturbance = named(name);
    const [a = '', b = ''] = causeOf(disturbance)?.pair ?? [];
    const weft = disturbedFleet(disturbance);
    expect(await weft('trace', a, b, '--live', 'dumps')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(': the tunnel is down, direct'),
    });
    const { pairs } = JSON.parse((await weft('trace', '--all', '--live', 'dumps', '-o', 'json')).stdout);
    expect(pairs).toContainEqual(expect.objectContaining({ from: a, to: b, fate: 'tunnel-down' }));
  });

  it('through another cluster does not hide a direct link that is dead', async () => {
    for (const name of ['key-of-another-cluster', 'public-key-missing', 'peer-removed']) {
      const weft = disturbedFleet(named(name));
      const { code, stdout } = await weft('trace', 'rome', 'milan', '--live', 'dumps');
      expect(stdout).toMatch(/^Live, not git: .*\n\ndrift\/(key|peer-missing) {2}.*"milan"/);
      expect(stdout).toMatch(/: the tunnel is down\n {2}The link of "\w+" and "\w+" carries nothing now: /);
      expect(code).toBe(1);
      const { pairs } = JSON.parse((await weft('trace', '--all', '--live', 'dumps', '-o', 'json')).stdout);
      expect(pairs).toContainEqual(expect.objectContaining({ from: 'rome', to: 'milan', fate: 'tunnel-down' }));
    }
  });
});

describe('view, whois and the runbook', () => {
  const wrongKey = () => disturbedFleet(named('key-of-another-cluster'));

  const live = ['--live', 'dumps'] as const;
  const answers: readonly (readonly string[])[] = [
    ['view', 'rome'],
    ['view', 'rome', 'milan'],
    ['view', 'rome', 'milan', '--runbook'],
    ['view'],
    ['trace', '--all'],
    ['whois', '10.81.3.7', '--in', 'rome'],
  ];

  it('begin with the same cause', async () => {
    const weft = wrongKey();
    for (const argv of answers)
      expect((await weft(...argv, ...live)).stdout, argv.join(' ')).toMatch(
        /^Live, not git: .*\n\ndrift\/key {2}"rome" accepts/,
      );
    expect((await weft('view', 'europe', ...live)).stdout).not.toContain('drift/');
  });

  it('have the same cause as JSON', async () => {
    const weft = wrongKey();
    for (const argv of drawn(
      answers,
      firstOfEach(([command = '']) => command),
    )) {
      const { live: document } = JSON.parse((await weft(...argv, ...live, '-o', 'json')).stdout);
      expect(document.drift).toMatchObject([{ cluster: 'rome', peer: 'milan', code: 'drift/key', isWaiting: false }]);
    }
  });

  it('the runbook shows what differs, below the cluster that has it, and the rest with -v', async () => {
    const { edit } = named('key-of-another-cluster');
    const weft = disturbedFleet({ ...named('none'), edit: (dumps) => edit?.(dumps) });
    const short = (await weft('view', 'rome', 'milan', '--runbook', '--live', 'dumps')).stdout;
    const whole = (await weft('view', 'rome', 'milan', '--runbook', '--live', 'dumps', '-v')).stdout;
    expect(linesOf(short)).toBeLessThan(40);
    expect(linesOf(whole)).toBeGreaterThan(150);
    expect(short).toMatch(/No live object differs in \d+ checks more; -v shows them all, step by step\.\n/);
    for (const text of [short, whole]) {
      const lines = text.split('\n');
      const live = lines.flatMap((line, at) => (/^ {4}live: .*/.test(line) ? [at] : []));
      expect(live.length).toBeGreaterThan(0);
      for (const at of live) {
        const command = lines.slice(0, at).findLast((it) => it.startsWith('  kubectl '));
        expect(command).toContain('--context rome ');
      }
    }
  });
});
