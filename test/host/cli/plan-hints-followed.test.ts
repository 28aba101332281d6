import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Code } from '../../../src/base/diagnostics/codes.ts';
import { SHARING, STOPPING } from '../../plan/edits.ts';
import { dumpsOf } from '../../support/dumps-of.ts';
import { handshakesOf } from '../../support/handshakes.ts';
import { keysOf } from '../../support/keys-of.ts';
import { workspace } from './memory-host.ts';

const PATH = 'topologies/topology.yaml';
const KEYS = 'topologies/topology.keys.yaml';
const LOCK = 'topologies/topology.lock.yaml';

const FLEET = `version: 1
name: fleet
hub: h
defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  h: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  a: {}
  b: {}
  c: {}
  d: {}
`;

type Fleet = ReturnType<typeof workspace>;
type Edit = (it: Fleet) => void;

interface Row {
  readonly code: Code;
  /** Words of the hint. */
  readonly says: string;
  readonly fleet?: string;
  /** Fleets that were compiled before, one after the other. */
  readonly earlier?: readonly string[];
  readonly mistake: Edit;
  /** The answer of the person, after which compile accepts the files. */
  readonly follow?: Edit;
  readonly options?: readonly string[];
}

const typed =
  (path: string, ...edits: readonly (readonly [instead: string | RegExp, typed: string])[]): Edit =>
  ({ read, write }) => {
    for (const [instead, text] of edits) {
      const before = read(path);
      write(path, before.replace(instead, text));
      expect(read(path), String(instead)).not.toBe(before);
    }
  };

const gone =
  (path: string): Edit =>
  ({ folder }) =>
    rmSync(join(folder, path));

/** Exchanges the keys of two gateways. */
const exchanged: Edit = ({ read, write }) => {
  const [first = '', second = ''] = [...read(KEYS).matchAll(/\S{43}=/g)].map(([it]) => it);
  write(KEYS, read(KEYS).replace(first, '-').replace(second, first).replace('-', second));
};

const ALLOWED = ['--allow-destroy'];
const LINKED = SHARING.replace('hub: rome\n', 'peerings: [[rome, milan], [rome, turin]]\n');
const UNLINKED = typed(PATH, ['[rome, milan], ', '']);
const WITHOUT_THREE = typed(PATH, ['  a: {}\n  b: {}\n  c: {}\n', '']);
const RESTORE_KEYS = 'restore the keys file from git';

const restored =
  (path: string, text: () => string): Edit =>
  (it) =>
    it.write(path, text());

const GUARDS: readonly Row[] = [
  ...(['restore it from git', 'pass "--relock all" to "weft compile"'] as const).map(
    (says): Row => ({
      code: 'plan/loses-lock',
      says,
      earlier: [FLEET.replace(/ {2}[ab]: .*\n/g, '')],
      mistake: gone(LOCK),
      ...(says === 'restore it from git'
        ? { follow: restored(LOCK, () => saved.lock) }
        : { options: ['--relock', 'all'] }),
    }),
  ),
  { code: 'plan/loses-keys', says: RESTORE_KEYS, mistake: gone(KEYS), follow: restored(KEYS, () => saved.keys) },
  { code: 'plan/loses-keys', says: 'pass --allow-destroy', mistake: gone(KEYS), options: ALLOWED },
  { code: 'plan/loses-keys', says: 'exchange them back', mistake: exchanged, follow: exchanged },
  { code: 'plan/loses-keys', says: 'pass --allow-destroy', mistake: exchanged, options: ALLOWED },
  {
    code: 'plan/loses-keys',
    says: RESTORE_KEYS,
    fleet: SHARING,
    mistake: typed(KEYS, [/^authentication:[\s\S]*/m, '']),
    follow: restored(KEYS, () => saved.keys),
  },
  {
    code: 'plan/loses-keys',
    says: 'pass --allow-destroy if',
    fleet: SHARING,
    mistake: typed(KEYS, [/^authentication:[\s\S]*/m, '']),
    options: ALLOWED,
  },
  {
    code: 'plan/removes-too-much',
    says: 'pass --allow-destroy if this is intended',
    mistake: WITHOUT_THREE,
    options: ALLOWED,
  },
  {
    code: 'plan/removes-too-much',
    says: 'raise --max-removed',
    mistake: WITHOUT_THREE,
    options: ['--max-removed', '0.7'],
  },
  {
    code: 'plan/deletes-namespaces',
    says: 'copy what is in these volumes, which nothing brings back, and pass --allow-destroy',
    fleet: SHARING,
    mistake: typed(PATH, ['  - { cluster: rome, namespace: demo }\n', '']),
    options: ALLOWED,
  },
  {
    code: 'plan/deletes-namespaces',
    says: 'keep the link',
    fleet: LINKED,
    mistake: UNLINKED,
    follow: typed(PATH, ['peerings: [', 'peerings: [[rome, milan], ']),
  },
  {
    code: 'plan/deletes-namespaces',
    says: 'pass --allow-destroy',
    fleet: LINKED,
    mistake: UNLINKED,
    options: ['--allow-destroy', '--max-removed', '1'],
  },
];

/** The files of the fleet before the mistake, as git has them. */
const saved = { keys: '', lock: '' };

const filesOf = (text: string) => {
  const { authentication, identities } = handshakesOf(text, {});
  const keys = keysOf({ path: PATH, text })?.text ?? '';
  return {
    [PATH]: text,
    [KEYS]: `${keys}${authentication}`,
    ...(identities === undefined ? {} : { 'topologies/topology.identities.yaml': identities }),
  };
};

describe('a hint of a plan that is followed', () => {
  it.each(GUARDS.map((it) => [it.code, it.says, it] as const))('resolves %s: %s', async (code, says, row) => {
    const { fleet = FLEET, earlier = [], mistake, follow, options = [] } = row;
    const it = workspace(filesOf(fleet));
    for (const text of [...earlier, fleet]) {
      it.write(PATH, text);
      expect((await it.weft('compile', ...ALLOWED)).code).toBe(0);
    }
    Object.assign(saved, { keys: it.read(KEYS), lock: it.read(LOCK) });
    mistake(it);
    const before = await it.weft('plan');
    expect([before.code, before.stderr]).toEqual([1, expect.stringContaining(`error ${code}`)]);
    expect(before.stderr).toContain(says);
    const refused = await it.weft('compile');
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('nothing is written')]);
    follow?.(it);
    if (!options.includes('--relock')) {
      const after = await it.weft('plan', ...options);
      expect([after.code, after.stderr]).toEqual([0, expect.not.stringContaining('error')]);
    }
    expect((await it.weft('compile', ...options)).code).toBe(0);
    expect(await it.weft('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  });

  it('names both ways where live clusters have exchanged keys: nothing tells which side is right', async () => {
    const it = workspace(filesOf(FLEET));
    const write = (dumps: Readonly<Record<string, string>>) =>
      Object.entries(dumps).map(([path, text]) => it.write(path, text));
    write(dumpsOf(filesOf(FLEET)));
    exchanged(it);
    await it.weft('compile');
    const live = ['plan', '--live', 'dumps'];
    const { code, stderr } = await it.weft(...live);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(
        'apply the bundles if the keys file is right, which --allow-destroy allows, otherwise exchange them in it',
      ),
    ]);
    expect((await it.weft(...live, ...ALLOWED)).code).toBe(0);
    exchanged(it);
    expect(await it.weft(...live)).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing to do') });
  });

  it('is followed here for every code that stops a compile', () => {
    expect(new Set(GUARDS.map(({ code }) => code))).toEqual(new Set(STOPPING));
  });
});
