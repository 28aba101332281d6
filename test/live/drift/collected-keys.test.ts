import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { compile } from '../../../src/compile.ts';
import { keysOf, publicKeyFor } from '../../support/keys-of.ts';
import { publicKeyFrom } from '../simulated/controllers/gateway-keys.ts';
import { driftOf } from '../simulated/drift-lines.ts';
import { REMOTE, type SimulatedObject } from '../simulated/objects.ts';
import { simulateFleet } from '../simulated/simulate-fleet.ts';

const TOPOLOGY = `
version: 1
name: fleet
hub: rome
keys: { secrets: liqo }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  rome: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  milan: { podCIDR: 10.202.0.0/16 }
`;

/** The clusters in which the Secrets of gateways have the keys of the keys file, and the problems after an edit of objects. */
function problemsOf(edit: Record<string, (it: SimulatedObject) => void>, keys: object = { secrets: 'liqo' }) {
  const topology = { path: 'topology.yaml', text: stringify({ ...parse(TOPOLOGY), keys }) };
  const compiled = compile({ topology, keys: keysOf(topology), lock: undefined }, { relock: [], only: null });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((it) => it.message).join());
  const dumps = simulateFleet(compiled.value.bundle);
  for (const [cluster, { items }] of dumps)
    for (const it of items as SimulatedObject[]) {
      if (it.kind === 'Secret') it.data = { publicKey: publicKeyFor(cluster, it.metadata.labels?.[REMOTE] ?? '') };
      edit[`${cluster} ${it.kind}`]?.(it);
    }
  return driftOf(compiled.value, dumps).flatMap(({ drift: { cluster }, problems, rollout }) =>
    problems.length === 0 && rollout.state === 'same'
      ? []
      : problems.map(({ diagnostic: { code, message, hint }, details }) => ({ cluster, code, message, hint, details })),
  );
}

const MADE_AGAIN = publicKeyFrom('made again');
const withKey = (it: SimulatedObject): void => {
  it.data = { publicKey: MADE_AGAIN };
};
const accepting = (it: SimulatedObject): void => {
  it.spec = { ...it.spec, publicKey: MADE_AGAIN };
};

/** A key as messages have it: what else is as long could be a private half. */
const shown = (key: string): string => key.slice(0, 4).padEnd(44, '*');
const [NEW, RECORDED] = [shown(MADE_AGAIN), shown(publicKeyFor('rome', 'milan'))];

describe('drift of a key that a cluster has made', () => {
  it.each([
    ['the recorded keys', {}],
    [
      'a Secret of which only the name was read',
      {
        'rome Secret': (it: SimulatedObject) => {
          delete it.data;
        },
      },
    ],
  ])('is none with %s', (_, edit) => {
    expect(problemsOf(edit)).toEqual([]);
  });

  it.each([
    ['gw-milan', { secrets: 'liqo' }],
    ['gw-keys', { secrets: 'external', store: 'network' }],
  ])('names the Secret %s and the command', (name, keys) => {
    expect(problemsOf({ 'rome Secret': withKey }, keys)).toEqual([
      {
        cluster: 'rome',
        code: 'drift/key-secret',
        message: `the Secret "${name}" in "rome" for "milan" has the public key ${NEW}, and git has ${RECORDED}`,
        hint: 'run "weft keys collect --replace", and merge what it writes: until then "milan" is to accept the key of git',
        details: [],
      },
    ]);
  });

  it('is reported once when the other end accepts the key already', () => {
    expect(problemsOf({ 'rome Secret': withKey, 'milan PublicKey': accepting })).toEqual([
      {
        cluster: 'milan',
        code: 'drift/key',
        message: `"milan" accepts the key ${NEW} from the gateway of "rome", and git has ${RECORDED}`,
        hint: 'if "rome" has a new key, run "weft keys collect --replace"; otherwise apply the bundle again',
        details: [
          'no gateway of the fleet has this key in git',
          'there is a tunnel only if the gateway of "rome" has the private half of the key that "milan" accepts',
          'the Secret "gw-milan" in "rome" has this key: both ends agree, and "weft keys collect --replace" records it',
        ],
      },
    ]);
  });
});
