import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/answers/report/layout.ts';
import { COMMANDS } from '../../../src/host/cli/command-table.ts';
import { withKeysFiles } from '../../support/keys-of.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const fleet = () => workspace(withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY }));

/** The output for a terminal of that width, or a pipe. */
const lines = async (columns: number | undefined, ...argv: readonly string[]) => {
  const settings = columns === undefined ? {} : { stdoutIsTTY: true, columns };
  return (await fleet().weftWith({ ...settings, env: { NO_COLOR: '1' } }, ...argv)).stdout.split('\n');
};

/**
 * Parts that are not wrapped: a command of an example or of a usage, a code with its severity, a line of YAML, and a
 * single word.
 */
const isWhole = (line: string): boolean =>
  /^ {2}(weft|kubectl|echo|sudo|source) |^Usage: |^[\w./-]+ +(error|warning|note)$|[\]}]$|^\s*\S*$/.test(line);

const widest = (all: readonly string[]) => Math.max(...all.map(displayWidth));

describe.each([40, 60, 80])('a terminal of %i columns', (columns) => {
  it.each([
    [[]],
    [['view']],
    [['view', 'rome']],
    [['trace', '--all']],
    [['explain']],
    [['explain', 'link/mtu-differs']],
    [['explain', 'liqo.version']],
    [['--help']],
    ...COMMANDS.map((it) => [[...it.name.split(' '), '--help']]),
  ])('shows weft %j without a line that is too long', async (argv) => {
    const shown = await lines(columns, ...argv);
    expect(shown.filter((it) => displayWidth(it) > columns && !isWhole(it))).toEqual([]);
  });
});

it.each([
  ['without a fleet', {}],
  [
    'with several topologies',
    { 'topologies/a.yaml': TOPOLOGY, 'topologies/b.yaml': TOPOLOGY.replaceAll('europe', 'asia') },
  ],
])('wraps what weft alone shows in a folder %s', async (_, files) => {
  const { stdout } = await workspace(files).weftWith({ stdoutIsTTY: true, columns: 50, env: { NO_COLOR: '1' } });
  expect(stdout.split('\n').filter((it) => displayWidth(it) > 50 && !isWhole(it))).toEqual([]);
});

it('has blocks in place of a table that does not fit', async () => {
  expect((await lines(40, 'view')).slice(0, 8)).toEqual([
    'CLUSTER',
    'europe',
    '  PODS     10.200.0.0/16',
    '  GATEWAY  203.0.113.10',
    '  HUB      is one',
    '  LINKS    2',
    'milan',
    '  PODS     10.202.0.0/16',
  ]);
});

it('breaks the last column beside the others, or below them', async () => {
  const [beside = '', more = ''] = await lines(90, 'explain');
  expect(beside).toMatch(/^\S+ +(error|warning|note) +\S/);
  expect(more).toMatch(/^ {30,}\S/);
  const [code = '', below = ''] = await lines(40, 'explain');
  expect(code).toMatch(/^\S+ +(error|warning|note)$/);
  expect(below).toMatch(/^ {4}\S/);
});

it('leaves the lines of a pipe as they are', async () => {
  expect(widest(await lines(undefined, 'explain'))).toBeGreaterThan(120);
  expect(await lines(200, 'view', 'rome')).toEqual(await lines(undefined, 'view', 'rome'));
});
