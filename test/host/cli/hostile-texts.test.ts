import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { drawn } from '../../support/drawn.ts';
import { HOSTILE_MIXTURES, HOSTILE_NAMES } from '../../support/hostile-text.ts';
import { lineFaults, markdownFaults } from '../../support/line-faults.ts';
import { type HostSettings, TOPOLOGY, workspace } from './memory-host.ts';

/** Without the annotations of weft itself, whose properties have no colon. */
const withoutOwnCommands = (text: string): string =>
  text.replace(/^::(?:error|warning|notice) (?:[a-zA-Z]+=[^:,\n]*,?)+::/gm, '');

type Weft = ReturnType<typeof workspace>['weftWith'];

/** Runs a command line and checks everything that it prints. */
async function check(weft: Weft, argv: readonly string[], settings: HostSettings = {}): Promise<number> {
  const { code, stdout, stderr } = await weft(settings, ...argv);
  const faults = argv.includes('markdown') ? markdownFaults : lineFaults;
  expect(`${argv.join(' ')}: ${code}`).not.toMatch(/: 3$/);
  expect([argv, faults(withoutOwnCommands(stdout))]).toEqual([argv, []]);
  expect([argv, lineFaults(withoutOwnCommands(stderr))]).toEqual([argv, []]);
  return code;
}

/** Every command that prints the name of a topology, of a lock or of a folder. */
const commandsFor = (file: string): readonly (readonly string[])[] => [
  ['validate', file],
  ['validate', file, '-o', 'github'],
  ['validate', file, '-o', 'json'],
  ['validate', file, '-o', 'sarif'],
  ['plan', file],
  ['compile', file],
  ['compile', file, '--check'],
  ['compile', file, '-o', 'json'],
  ['plan', file, '-v', '-o', 'markdown'],
  ['verify', file],
  ['view', file, 'rome', '-o', 'markdown'],
  ['graph', file],
  ['trace', file, 'rome', 'milan'],
  ['keys', 'generate', file, '--secrets-dir', '../secrets'],
];

const WITH_ERRORS = TOPOLOGY.replace('hub: europe', 'hub: berlin');

describe('no printer shows a name as it is:', () => {
  it.each(drawn(HOSTILE_NAMES))('a topology in a file called %j', async (stem) => {
    const name = `${stem}.yaml`;
    const { folder, write, weftWith } = workspace({ [`topologies/${name}`]: TOPOLOGY });
    const file = `topologies/${name}`;
    for (const argv of commandsFor(file)) await check(weftWith, argv);
    await check(weftWith, ['compile', '--all']);
    await check(weftWith, ['compile', file, '--out', `${name}/out`]);
    await check(weftWith, ['verify', file, '--out', `${name}/out`]);
    await check(weftWith, ['trace', file, 'rome', 'milan', '--out', name, '-o', 'markdown']);
    await check(weftWith, ['init', `new ${name}`]);
    const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summaryFile(), GITHUB_WORKSPACE: folder };
    for (const text of [TOPOLOGY, WITH_ERRORS]) {
      write(file, text);
      await check(weftWith, ['pr', 'check', file], { env });
      await check(weftWith, ['validate', file], { env });
    }
    expect(markdownFaults(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8'))).toEqual([]);
  });

  it.each(HOSTILE_MIXTURES)('an argument: %j', async (text) => {
    const { weftWith } = workspace({ 'topologies/topology.yaml': TOPOLOGY });
    const argument = text.replaceAll('\0', '');
    for (const argv of [
      ['view', 'rome', argument],
      ['view', argument],
      ['trace', 'rome', argument],
      ['trace', argument, 'milan'],
      ['explain', argument],
      ['explain', argument, '-o', 'json'],
      ['completion', argument],
      [argument],
      ['validate', argument],
      ['validate', `${argument}.lock.yaml`],
      ['compile', '--cluster', argument],
      ['compile', '--relock', argument],
      ['compile', '--lock', argument, '--frozen-lock'],
      ['plan', '--base', argument],
      ['plan', '--base-dir', argument],
      ['plan', '--max-removed', argument],
      ['verify', '--out', argument],
      ['translate', '--in', argument, '--for', argument],
      ['pr', argument],
      ['pr', 'comment', '--repository', argument],
      ['pr', 'comment', '--pull-request', argument],
      // Last: it makes the folder.
      ['plan', '--diff', argument],
    ])
      await check(weftWith, argv);
  });

  it.each(HOSTILE_MIXTURES)('a topology with %j', async (text) => {
    const { write, weftWith } = workspace();
    const quoted = JSON.stringify(text);
    for (const topology of [
      TOPOLOGY.replace('name: europe', `name: ${quoted}`),
      TOPOLOGY.replace('hub: europe', `hub: ${quoted}`),
      TOPOLOGY.replace('milan:', `${quoted}:`),
      TOPOLOGY.replace(
        'hub: europe',
        `hub: europe\ngitops: { repository: ${quoted}, revision: ${quoted}, path: ${quoted} }`,
      ),
      TOPOLOGY.replace('podCIDR: 10.202.0.0/16 }', `podCIDR: ${quoted}, labels: { ${quoted}: ${quoted} } }`),
      TOPOLOGY.replace('[rome, milan]', `[${quoted}, ${quoted}]`),
      `${TOPOLOGY}${quoted}: 1\n`,
      `${TOPOLOGY}assertions:\n  - { from: ${quoted}, to: rome, expect: ${quoted} }\n`,
      // The text itself, which may be broken YAML, in the line of a mistake.
      `${TOPOLOGY}x: ${text}\n`,
      `${TOPOLOGY}x: 1 # ${text}\n`,
    ]) {
      write('topologies/topology.yaml', topology);
      for (const output of ['text', 'github', 'sarif', 'json']) await check(weftWith, ['validate', '-o', output]);
      const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summaryFile() };
      await check(weftWith, ['pr', 'check'], { env });
      expect(markdownFaults(readFileSync(env.GITHUB_STEP_SUMMARY, 'utf8'))).toEqual([]);
    }
  });

  it.each(HOSTILE_MIXTURES)('endpoints with %j', async (text) => {
    const { weftWith } = workspace({ 'topologies/topology.yaml': TOPOLOGY });
    const slice = (address: string) => ({
      ...{ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4' },
      metadata: { name: text, namespace: text, labels: { [text]: text }, annotations: { [text]: text } },
      endpoints: [{ addresses: [address], hostname: text, zone: text }],
      ports: [{ name: text, port: 80 }],
    });
    const inputs = [slice('10.200.0.7'), slice(text)].map((it) => JSON.stringify(it));
    for (const stdin of [...inputs, text]) {
      for (const more of [[], ['--explain'], ['-o', 'text'], ['-o', 'json']]) {
        const argv = ['translate', '--in', 'europe', '--for', 'rome', ...more];
        const { code, stdout, stderr } = await weftWith({ stdin }, ...argv);
        expect(code).not.toBe(3);
        // A slice is printed with the texts that it has: a secret in it is the user's own.
        const faults = lineFaults(stdout).filter((it) => !/^a (?:secret|workflow command)/.test(it));
        expect([argv, faults]).toEqual([argv, []]);
        expect([argv, lineFaults(stderr)]).toEqual([argv, []]);
      }
    }
  });
});

function summaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'weft-summary-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'summary.md');
}
