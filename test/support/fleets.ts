import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { oncePerText } from '../../src/base/core/once.ts';
import type { Source } from '../../src/base/source/source.ts';
import { type Compiled, compile, type Sources } from '../../src/compile.ts';
import { compileGolden, goldenNames, goldenSources } from './golden.ts';
import { keysOf } from './keys-of.ts';
import { publicKeysIn } from './public-keys-in.ts';

/** A topology of ours that compiles, with what came of it. */
export interface CompiledFleet {
  /** The folder of the golden; the path of the example. */
  readonly name: string;
  /** The topology as a YAML parser gives it, so that a test can compare with what was declared. */
  readonly topology: Topology;
  /** The public keys that were given, by cluster and peer. */
  readonly keys: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly compiled: Compiled;
}

/** The little that tests look up in the text of a topology. */
export interface Topology {
  readonly peerings?: readonly LinkEntry[];
  readonly shortcuts?: readonly LinkEntry[];
}

type LinkEntry =
  | readonly string[]
  | {
      readonly between: readonly string[];
      readonly port?: number;
      /** Names of objects by the cluster that has them. */
      readonly names?: Readonly<Record<string, Readonly<Record<string, string>>>>;
    };

const ROOT = new URL('../../', import.meta.url);
const EXAMPLE = 'topologies/topology.yaml';

let fleets: readonly CompiledFleet[] | null = null;

/**
 * Every golden that is not there to be refused, and the example. Throws when one of them does not compile. All files of a
 * worker share them.
 */
export function compiledFleets(): readonly CompiledFleet[] {
  fleets ??= newFleets();
  return fleets;
}

/** The fleets with a key for every gateway, also if a golden has none: for tests that send packets over all links. */
export const keyedFleets = (names = keyedFleetNames()): readonly CompiledFleet[] => names.map(keyedFleet);

/** The names of the fleets with a key for every gateway: those that nothing asks for need not be compiled. */
export const keyedFleetNames = (): readonly string[] => goldenNames().filter((it) => !it.startsWith('invalid-'));

export const keyedFleet = oncePerText((name): CompiledFleet => fleetOf(name, withKeys(goldenSources(name))));

const withKeys = (sources: Sources): Sources => ({
  ...sources,
  keys: keysOf(sources.topology, undefined, sources.included),
});

function newFleets(): readonly CompiledFleet[] {
  return [
    ...keyedFleetNames().map((it) => fleetOf(it, goldenSources(it), compileGolden(it))),
    fleetOf(EXAMPLE, exampleSources()),
  ];
}

function fleetOf(
  name: string,
  sources: Sources,
  outcome = compile(sources, { relock: [], only: null }),
): CompiledFleet {
  if (!outcome.ok) {
    const first = outcome.diagnostics.find((it) => it.severity === 'error');
    throw new Error(`${name} does not compile: ${first?.code} ${first?.message}`);
  }
  const keys = sources.keys === undefined ? {} : publicKeysIn(sources.keys.text);
  return { name, topology: parse(sources.topology.text) as Topology, keys, compiled: outcome.value };
}

function exampleSources(): Sources {
  const topology = read(EXAMPLE);
  if (topology === undefined) throw new Error(`there is no ${EXAMPLE}`);
  return { topology, keys: read('topologies/topology.keys.yaml'), lock: read('topologies/topology.lock.yaml') };
}

function read(path: string): Source | undefined {
  const file = new URL(path, ROOT);
  return existsSync(file) ? { path, text: readFileSync(file, 'utf8') } : undefined;
}
