import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SHARING } from '../../plan/edits.ts';
import { type Handshakes, handshakesOf } from '../../support/handshakes.ts';
import { keysOf } from '../../support/keys-of.ts';
import { workspace } from './memory-host.ts';

const PATH = 'topologies/topology.yaml';
const KEYS = 'topologies/topology.keys.yaml';
const IDENTITIES = 'topologies/topology.identities.yaml';
const DEMO = '  - { cluster: rome, namespace: demo }\n';

function filesOf(topology: string, given: Handshakes = {}): Readonly<Record<string, string>> {
  const { authentication, identities = '' } = handshakesOf(topology, given);
  const keys = keysOf({ path: PATH, text: topology })?.text ?? 'version: 1\nkeys: {}\n';
  return { [PATH]: topology, [KEYS]: keys + authentication, [IDENTITIES]: identities };
}

/** A folder with a compiled fleet that shares. */
async function compiledFleet(topology = SHARING) {
  const it = workspace(filesOf(topology));
  const compile = await it.weft('compile');
  expect([compile.code, compile.stderr]).toEqual([0, expect.any(String)]);
  return it;
}

const codesIn = (stderr: string) => [...stderr.matchAll(/ (?:error|warning) (\S+):/g)].map(([, code]) => code);

const LOST = /1 namespace of providers would be deleted with all volumes: demo-rome in milan/;

describe('what deletes namespaces of providers', () => {
  it('is an error of a plan, unless it is allowed', async () => {
    const it = await compiledFleet();
    it.write(PATH, SHARING.replace('provider: milan, ', 'provider: milan, condition: Drained, '));
    const plan = await it.weft('plan', '--detailed-exitcode');
    expect([plan.code, plan.stderr]).toEqual([1, expect.stringMatching(LOST)]);
    expect(plan.stderr).toContain('error plan/deletes-namespaces');
    expect(plan.stdout).toMatch(/^Data loss\n {2}~ milan treats rome as Drained/);
    expect((await it.weft('plan', '--detailed-exitcode', '--allow-destroy')).code).toBe(2);
    // No share of all namespaces is harmless.
    expect((await it.weft('plan', '--max-removed', '100%')).code).toBe(1);
    const json = JSON.parse((await it.weft('plan', '-o', 'json')).stdout);
    expect(json.ok).toBe(false);
    expect(json.diagnostics.map((it: { code: string }) => it.code)).toContain('plan/deletes-namespaces');
    expect(json.plan.changes).toMatchObject([
      {
        kind: 'condition-changed',
        id: 'condition-changed rome/milan',
        deleted: [{ cluster: 'rome', namespace: 'demo', provider: 'milan', name: 'demo-rome' }],
        disruptive: true,
      },
    ]);
    expect(json.plan.line).toContain('1 namespace deleted with all volumes');
  });

  it.each(['github', 'sarif', 'markdown'])('is in every format: %s', async (format) => {
    const it = await compiledFleet();
    it.write(PATH, SHARING.replace(DEMO, ''));
    const { stdout, stderr } = await it.weft('plan', '-o', format, '--allow-destroy');
    expect(`${stdout}${stderr}`).toMatch(/demo-rome in milan/);
  });

  it('is refused by compile, which writes nothing', async () => {
    const it = await compiledFleet();
    const before = it.read('out/rome/offloading/demo.yaml');
    it.write(PATH, SHARING.replace(DEMO, ''));
    for (const args of [['compile'], ['compile', '--cluster', 'rome'], ['compile', '--max-removed', '100%']]) {
      const refused = await it.weft(...args);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining(
          '2 namespaces of providers would be deleted with all volumes: demo-rome in milan, demo-rome in turin',
        ),
      ]);
      expect(refused.stderr).toContain('copy what is in these volumes');
      expect(it.read('out/rome/offloading/demo.yaml')).toBe(before);
    }
    expect((await it.weft('compile', '--allow-destroy')).code).toBe(0);
    expect((await it.weft('plan')).stdout).toContain('Nothing to do');
  });

  it('is refused by compile where only texts of files change', async () => {
    const it = await compiledFleet();
    it.write(PATH, SHARING.replace('to: turin', 'to: milan'));
    const refused = await it.weft('compile');
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('deleted with all volumes: batch in turin'),
    ]);
  });

  it('is refused by compile although the state before cannot be read', async () => {
    const it = await compiledFleet();
    rmSync(join(it.folder, 'out/addresses.json'));
    it.write(PATH, SHARING.replace(DEMO, ''));
    const refused = await it.weft('compile');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('demo in the providers of rome')]);
  });

  it('is not what compile asks about where sharing begins, grows, or stays', async () => {
    const it = await compiledFleet();
    for (const topology of [
      SHARING.replace('cpu: 4,', 'cpu: 8,'),
      SHARING.replace('namespace: batch, to: turin', 'namespace: batch, to: [milan, turin]'),
      `${SHARING.replace('namespace: batch, to: turin', 'namespace: batch, to: [milan, turin]')}  - { cluster: rome, namespace: shop }\n`,
    ]) {
      it.write(PATH, topology);
      expect((await it.weft('compile')).code).toBe(0);
    }
  });

  it('asks about a link that is removed under a loan', async () => {
    const linked = SHARING.replace('hub: rome\n', 'peerings: [[rome, milan], [rome, turin]]\n');
    const it = await compiledFleet(linked);
    it.write(PATH, linked.replace('[rome, milan], ', ''));
    for (const command of ['plan', 'compile']) {
      const refused = await it.weft(command, '--max-removed', '100%');
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining('1 loan would go on without a link: rome from milan'),
      ]);
    }
    expect((await it.weft('compile', '--max-removed', '100%', '--allow-destroy')).code).toBe(0);
  });
});

describe('an authentication key that is lost', () => {
  it('is an error of a plan', async () => {
    const it = await compiledFleet();
    for (const [path, text] of Object.entries(filesOf(SHARING, { keyless: ['rome'] }))) it.write(path, text);
    it.write(IDENTITIES, 'version: 1\nidentities: {}\n');
    const plan = await it.weft('plan');
    expect([plan.code, plan.stderr]).toEqual([
      1,
      expect.stringContaining('1 cluster had an authentication key and would have none: rome'),
    ]);
    const allowed = await it.weft('plan', '--allow-destroy');
    expect([allowed.code, allowed.stderr]).toEqual([0, expect.stringContaining('sharing/key-missing')]);
  });

  it('is the cause that is named, and nobody is told to make another key', async () => {
    const it = await compiledFleet();
    rmSync(join(it.folder, KEYS));
    const { code, stdout, stderr } = await it.weft('plan');
    expect([code, codesIn(stderr)]).toEqual([1, ['plan/loses-keys', 'plan/loses-keys']]);
    expect(stderr).not.toContain('keys generate');
    expect(stdout).toContain('Plan:');
  });

  it('does not hide what is missing beside it', async () => {
    const it = await compiledFleet();
    const grown = SHARING.replace('sharing:\n', 'sharing:\n  - { consumer: milan, provider: turin }\n');
    for (const [path, text] of Object.entries(filesOf(grown, { keyless: ['rome', 'milan'] }))) it.write(path, text);
    it.write(IDENTITIES, 'version: 1\nidentities: {}\n');
    const { stderr } = await it.weft('plan');
    expect(codesIn(stderr)).toContain('sharing/key-missing');
    expect(stderr).toContain('has no authentication key, so no provider gets a Tenant for it: "milan" from turin');
  });
});
