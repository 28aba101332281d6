import { describe, expect, it } from 'vitest';
import { Document } from 'yaml';
import { compile } from '../../../src/compile.ts';
import { makeRoom, neededBeside, type Path, PLACES, VALID } from './every-place.ts';

/** A default in the schema is the default of the compiler: the result is equal with and without the key. */

/** Networks that Liqo 1.2 keeps when they are written, and moves when they are its default: before, there is no difference. */
const PINNED = /\/(externalCIDR|internalCIDR)$/;

/** Other keys that must also be omitted with a key. */
const WITHOUT: readonly (readonly [RegExp, Path])[] = [
  [/^sharing$/, ['offloading']],
  [/\/externalCIDR$/, ['defaults', 'externalCIDR']],
  [/^clusters\/rome\/reserved$/, ['defaults', 'reserved']],
];

/**
 * Not tried: without an address of rome the fleet has a link that no cluster can dial, and a toleration goes into pods
 * as it is written, where Kubernetes has the default.
 */
const UNTRIED = /^clusters\/rome\/gateway\/addresses$|\/tolerations\/0\/operator$/;

function topologyWith(path: Path, value: unknown): string {
  const name = path.join('/');
  const document = new Document(structuredClone(VALID));
  makeRoom(document, path);
  const siblings = neededBeside(path);
  if (siblings !== undefined) document.setIn(path.slice(0, -1), document.createNode(siblings));
  if (path.includes('credentials')) document.setIn(['sharing', 0, 'auth'], 'credentials');
  if (PINNED.test(name)) document.setIn(['liqo', 'version'], '1.1');
  for (const [key, other] of WITHOUT) if (key.test(name)) document.deleteIn(other);
  if (value === undefined) document.deleteIn(path);
  else document.setIn(path, value);
  return document.toString({ lineWidth: 0 });
}

/** Every file that a topology is compiled into, and its lock. */
function filesOf(text: string): Readonly<Record<string, string>> {
  const sources = { topology: { path: 'topology.yaml', text }, keys: undefined, lock: undefined };
  const result = compile(sources, { relock: [], only: null });
  if (!result.ok) throw new Error(`${result.diagnostics.map((it) => `${it.code}: ${it.message}`).join('\n')}\n${text}`);
  return { ...Object.fromEntries(result.value.bundle.entries()), 'the lock': result.value.lock };
}

const withoutChartValues = (files: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(files).filter(([path]) => !path.endsWith('/helm-values.yaml')));

const DEFAULTS = PLACES.filter(([, schema]) => 'default' in schema).map(
  ([path, schema]) => [path.join('/'), path, schema['default']] as const,
);

describe('a default that the schema says', () => {
  it.each(DEFAULTS.filter(([name]) => !UNTRIED.test(name)))('is what is compiled without %s', (name, path, value) => {
    const [written, leftOut] = [filesOf(topologyWith(path, value)), filesOf(topologyWith(path, undefined))];
    if (PINNED.test(name)) expect(withoutChartValues(written)).toEqual(withoutChartValues(leftOut));
    else expect(written).toEqual(leftOut);
  });

  it('is not any other value', () => {
    const path = ['clusters', 'rome', 'gateway', 'mtu'];
    expect(DEFAULTS.length).toBeGreaterThan(100);
    expect(filesOf(topologyWith(path, 1300))).not.toEqual(filesOf(topologyWith(path, undefined)));
  });
});
