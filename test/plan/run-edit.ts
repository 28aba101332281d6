import { plainPaint } from '../../src/answers/report/paint.ts';
import { printDiagnostics } from '../../src/answers/report/print-diagnostics.ts';
import { once } from '../../src/base/core/once.ts';
import type { RelockTarget } from '../../src/compile.ts';
import { type Compiled, compile } from '../../src/compile.ts';
import { demandsOf } from '../../src/plan/declared-sides.ts';
import type { Plan } from '../../src/plan/plan-changes.ts';
import { type StateInput, topologyFacts } from '../../src/plan/plan-state.ts';
import { type Handshakes, handshakesOf } from '../support/handshakes.ts';
import { keysOf, publicKeyFor } from '../support/keys-of.ts';
import { planOf } from '../support/plan-of.ts';
import { type Edit, FLEET, type Replacement } from './edits.ts';

export interface EditRun {
  readonly before: Compiled;
  readonly after: Compiled;
  readonly plan: Plan;
  /** The plan without the topology of the base, from its files alone. */
  readonly planOfFiles: Plan;
  /** The lines that the edit removes and adds. */
  readonly edit: string;
}

export function runEdit(edit: Edit): EditRun {
  let topology = edit.fleet ?? FLEET;
  const was = {
    keyless: edit.keyless?.before ?? [],
    next: edit.nextKeys?.before ?? [],
    handshakes: edit.handshakes?.before ?? {},
  };
  let files = filesBeside(topology, was);
  let before = compiledFirst(topology, files);
  for (const it of edit.earlier ?? []) {
    topology = replaced(topology, it);
    files = filesBeside(topology, was);
    before = compiled(topology, files, before.lock, []);
  }
  const next = replaced(topology, edit.topology ?? []);
  const lock = replaced(before.lock, edit.lock ?? []);
  const known = edit.keysOfAll === true ? next : topology;
  const { handshakes } = edit;
  const shared =
    handshakes?.after === undefined ? handshakesOf(known, was.handshakes) : handshakesOf(next, handshakes.after);
  const nextFiles = {
    keys:
      withNextKeys(
        (edit.otherKeys ?? []).reduce(withAnotherKey, keysText(known, edit.keyless?.after ?? [])),
        edit.nextKeys ?? {},
      ) + shared.authentication,
    identities: shared.identities,
  };
  const relock = (edit.relock ?? []).map((cluster): RelockTarget => ({ cluster, peer: null }));
  const after = compiled(next, nextFiles, lock, relock);
  const planOfFiles = once(() => planBetween(before, after, { withTopology: false }));
  return {
    before,
    after,
    plan: planBetween(before, after),
    get planOfFiles() {
      return planOfFiles();
    },
    edit: [
      ...lineDiff('topology.yaml', topology, next),
      ...lineDiff('topology.keys.yaml', files.keys, nextFiles.keys),
      ...lineDiff('topology.identities.yaml', files.identities ?? '', nextFiles.identities ?? ''),
      ...lineDiff('topology.lock.yaml', before.lock, lock),
      ...relock.map((it) => `--relock ${it.cluster}`),
    ].join('\n'),
  };
}

/** The records beside a topology. */
interface FilesBeside {
  readonly keys: string;
  readonly identities: string | undefined;
}

function filesBeside(
  topology: string,
  was: { readonly keyless: readonly string[]; readonly next: readonly string[]; readonly handshakes: Handshakes },
): FilesBeside {
  const { keyless, next, handshakes } = was;
  const { authentication, identities } = handshakesOf(topology, handshakes);
  return { keys: withNextKeys(keysText(topology, keyless), { after: next }) + authentication, identities };
}

/** Most edits are about a few fleets, which all files of a worker share: nothing of them may be changed. */
const fleets = new Map<string, Compiled>();

function compiledFirst(topology: string, files: FilesBeside): Compiled {
  const id = JSON.stringify([topology, files]);
  const fleet = fleets.get(id) ?? compiled(topology, files, undefined, []);
  fleets.set(id, fleet);
  return fleet;
}

export const stateOf = ({ bundle, lock, model }: Compiled): StateInput => ({
  files: bundle,
  lock,
  known: topologyFacts(model),
});

export function planBetween(before: Compiled, after: Compiled, { withTopology = true } = {}): Plan {
  const base = stateOf(before);
  const demands = {
    before: demandsOf(before.inputs.declaration),
    after: demandsOf(after.inputs.declaration),
  };
  return planOf({ base: withTopology ? base : { ...base, known: null }, head: stateOf(after), demands });
}

function compiled(
  topology: string,
  { keys, identities }: FilesBeside,
  lock: string | undefined,
  relock: readonly RelockTarget[],
): Compiled {
  const source = (path: string, text: string | undefined) => (text === undefined ? undefined : { path, text });
  const result = compile(
    {
      topology: { path: 'topology.yaml', text: topology },
      keys: source('topology.keys.yaml', keys),
      identities: source('topology.identities.yaml', identities),
      lock: source('topology.lock.yaml', lock),
    },
    { relock, only: null, allowReplacements: true },
  );
  if (!result.ok) throw new Error(printDiagnostics(result.diagnostics, { paint: plainPaint, verbose: true }));
  return result.value;
}

/** By topology, and by the gateways without a key. */
const keysTexts = new Map<string, string>();

function keysText(topology: string, without: readonly string[]): string {
  const id = JSON.stringify([topology, without]);
  const hasKey = (own: string, other: string): boolean => !without.includes(`${own}/${other}`);
  const text = keysTexts.get(id) ?? keysOf({ path: 'topology.yaml', text: topology }, hasKey)?.text ?? '';
  keysTexts.set(id, text);
  return text;
}

function withAnotherKey(keys: string, gateway: string): string {
  const [cluster = '', peer = ''] = gateway.split('/');
  return replaced(keys, [[publicKeyFor(cluster, peer), publicKeyFor(cluster, `${peer}-again`)]]);
}

/** The keys file with next keys of some gateways, and of others the second generation. */
function withNextKeys(keys: string, { after = [], used = [] }: NonNullable<Edit['nextKeys']>): string {
  const entry = (text: string, gateway: string, print: (key: string, next: string) => string): string => {
    const [cluster = '', peer = ''] = gateway.split('/');
    const key = JSON.stringify(publicKeyFor(cluster, peer));
    return replaced(text, [[key, print(key, JSON.stringify(publicKeyFor(cluster, `${peer}-next`)))]]);
  };
  const prepared = after.reduce(
    (text, it) => entry(text, it, (key, next) => `{ key: ${key}, next: { key: ${next}, since: "2026-11-28" } }`),
    keys,
  );
  return used.reduce(
    (text, it) => entry(text, it, (_, next) => `{ key: ${next}, generation: 2, since: "2026-11-28" }`),
    prepared,
  );
}

function replaced(text: string, replacements: readonly Replacement[]): string {
  let now = text;
  for (const [from, to] of replacements) {
    if (now.split(from).length !== 2)
      throw new Error(`"${from}" stands ${now.split(from).length - 1} times in\n${now}`);
    now = now.replace(from, () => to);
  }
  return now;
}

function lineDiff(name: string, before: string, after: string): readonly string[] {
  const [was, is] = [before.split('\n'), after.split('\n')];
  const gone = was.filter((it) => !is.includes(it)).map((it) => `- ${it}`);
  const come = is.filter((it) => !was.includes(it)).map((it) => `+ ${it}`);
  return gone.length + come.length === 0 ? [] : [`${name}:`, ...[...gone, ...come].map(shortLine)];
}

/** Requests and certificates have more than a thousand characters. */
const shortLine = (line: string): string => (line.length > 160 ? `${line.slice(0, 60)}...${line.slice(-40)}` : line);
