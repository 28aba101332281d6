import { execFileSync } from 'node:child_process';
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runWeft } from '../../src/host/cli/run-weft.ts';
import { memoryHost, TOPOLOGY } from '../host/cli/memory-host.ts';
import { law } from '../laws/law.ts';
import { documentFaults, printsJson } from '../support/json-documents.ts';
import { objectsAtRest } from '../support/objects-at-rest.ts';
import { EVERY_CALL } from './every-call.ts';
import { PLACES, putInTheWay, THINGS } from './things-in-the-way.ts';

/** The folder of all cases, and in it a compiled fleet with keys, in a repository with one commit. */
let scratch: string;
let fleet: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'weft-hostile-'));
  fleet = join(scratch, 'fleet');
  mkdirSync(join(fleet, 'topologies'), { recursive: true });
  writeFileSync(join(fleet, 'topologies/topology.yaml'), TOPOLOGY);
  for (const argv of [['keys', 'generate', '--secrets-dir', '../secrets'], ['compile']])
    expect((await weftIn(fleet, argv)).code).toBe(0);
  const rome = join(fleet, 'out/rome');
  const files = readdirSync(rome, { recursive: true, encoding: 'utf8' }).filter((it) => it.endsWith('.yaml'));
  const items = objectsAtRest(files.map((it) => [it, readFileSync(join(rome, it), 'utf8')]));
  writeFileSync(join(fleet, 'rome.json'), JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'fleet'],
  ])
    execFileSync('git', args, { cwd: fleet });
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

async function weftIn(cwd: string, argv: readonly string[]) {
  const { host, said } = memoryHost(cwd, { stdin: '10.200.0.7\n' });
  const answer = { code: await runWeft(argv, host), ...said() };
  expect(documentFaults(argv, answer), argv.join(' ')).toEqual([]);
  return answer;
}

/** The call with JSON as its format, if the command has it and no other format was requested. */
const asJson = (argv: readonly string[]): readonly string[] =>
  printsJson(argv) && !argv.includes('-o') ? [...argv, '-o', 'json'] : argv;

/** A separate fleet for a case, with a copy of its files and with files of another user. */
async function inFleet(act: (folder: string, home: string) => Promise<void>): Promise<void> {
  const home = mkdtempSync(join(scratch, 'case-'));
  try {
    for (const copy of ['fleet', 'before']) cpSync(fleet, join(home, copy), { recursive: true });
    mkdirSync(join(home, 'elsewhere'));
    writeFileSync(join(home, 'elsewhere/file'), 'version: 1\n');
    await act(join(home, 'fleet'), home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

const LARGEST_BYTES = 8 * 1024 * 1024;

/** Everything below a folder, with its text or target. */
function contentOf(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries.map((it) => {
      const at = join(it.parentPath, it.name);
      const size = lstatSync(at, { throwIfNoEntry: false })?.size ?? LARGEST_BYTES;
      const text = it.isFile() && size < LARGEST_BYTES ? readFileSync(at, 'latin1') : '';
      return [at.slice(folder.length + 1), it.isSymbolicLink() ? readlinkSync(at) : text];
    }),
  );
}

/** The output, locks, the keys file, what init starts, the diff and the page; index and objects of git may be refreshed. */
const MAY_CHANGE =
  /^(?:out|start|review|weft-report\.html|\.git)(?:\/|$)|^topologies\/(?:[^/]+\.(?:lock|keys)\.yaml|\.weft.*)$/;

const othersIn = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(contentOf(folder)).filter(([it]) => !MAY_CHANGE.test(it)));

const damages = fc.array(
  fc.record({ path: fc.constantFrom(...PLACES), thing: fc.constantFrom(...Object.keys(THINGS)) }),
  { minLength: 1, maxLength: 2 },
);

describe.skipIf(process.platform === 'win32')('whatever is at the paths of weft', () => {
  it('without damage, the calls do what they are for', async () => {
    await inFleet(async (folder) => {
      const failed: string[] = [];
      for (const argv of EVERY_CALL) if ((await weftIn(folder, argv)).code !== 0) failed.push(argv.join(' '));
      expect(failed).toEqual([
        // The topology is there.
        'import',
        'lab --cluster nowhere',
        // The dump has no FirewallConfigurations, which Liqo makes.
        'drift --live rome=rome.json',
        // No cluster is named, and the topology has no probers.
        'conformance',
        // The dump has no Secrets.
        'keys collect --live rome=rome.json',
        'pr check',
        'pr comment',
        'pr open',
        'pr comment --base HEAD',
        'pr open --base HEAD',
      ]);
    });
  });

  law(
    'every command ends with 0, 1 or 2 and a reason, and files of others stay',
    20,
    fc.asyncProperty(damages, fc.boolean(), async (all, isJson) => {
      await inFleet(async (folder, home) => {
        for (const { thing, path } of all) putInTheWay(thing, { folder, path });
        const before = othersIn(folder);
        for (const argv of isJson ? EVERY_CALL.map(asJson) : EVERY_CALL) {
          const { code, stdout, stderr } = await weftIn(folder, argv);
          const said = `weft ${argv.join(' ')}: ${code}\n${stderr}`;
          expect([0, 1, 2], said).toContain(code);
          if (code !== 0) expect(stdout + stderr, said).not.toBe('');
          expect(stderr, said).not.toMatch(/undefined|\[object|NaN/);
        }
        expect(othersIn(folder)).toEqual(before);
        expect(contentOf(join(home, 'elsewhere'))).toMatchObject({ file: 'version: 1\n' });
      });
    }),
  );
});
