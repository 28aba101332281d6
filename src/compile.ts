import type { RelockTarget } from './base/core/lock-key.ts';
import { once } from './base/core/once.ts';
import type { Diagnostic } from './base/diagnostics/diagnostic.ts';
import { nameLookalikes } from './base/diagnostics/did-you-mean.ts';
import { andThen, failure, type Outcome, outcome } from './base/diagnostics/outcome.ts';
import type { Source } from './base/source/source.ts';
import type { Bundle } from './bundle/emit/bundle.ts';
import { emitBundle } from './bundle/emit/emit-bundle.ts';
import type { BoundedModel } from './fleet/boundaries/bounded-model.ts';
import { resolveBoundaries } from './fleet/boundaries/resolve-boundaries.ts';
import { assignAddresses, nextLock } from './fleet/ipam/assign-addresses.ts';
import { everyGatewayHasAKey, withKeys } from './fleet/keys/missing-keys.ts';
import { type Decisions, decisionsOf, forget, type LockDocument, parseLock, raiseNudges } from './fleet/lock/lock.ts';
import { judgeNames } from './fleet/model/judge-names.ts';
import { applyRenames, resolveModel } from './fleet/model/resolve-model.ts';
import { resolveSharing } from './fleet/sharing/resolve-sharing.ts';
import { applyAcceptances } from './fleet/topology/acceptances.ts';
import { checkTopology } from './fleet/topology/check-topology.ts';
import type { Declaration } from './fleet/topology/declaration.ts';
import {
  type IdentitiesDocument,
  type KeysDocument,
  parseIdentities,
  parseKeys,
} from './fleet/topology/parse-recorded.ts';
import { parseTopology } from './fleet/topology/parse-topology.ts';
import { checkServices } from './reach/services/check-services.ts';
import { decideAssertions } from './reach/trace/decide-assertions.ts';
import { decideWithout } from './reach/whatif/decide-without.ts';

/** Everything that determines the result. All but the topology may be absent. */
export interface Sources {
  readonly topology: Source;
  /** The files that the topology includes, in that order. */
  readonly included?: readonly Source[];
  readonly keys: Source | undefined;
  readonly identities?: Source | undefined;
  readonly lock: Source | undefined;
}

export type { RelockTarget };

export interface CompileOptions {
  /** Decisions of the lock to make again. */
  readonly relock: readonly RelockTarget[];
  /** Links whose client end is to connect again. */
  readonly nudge?: readonly RelockTarget[];
  /** Clusters whose folders are wanted; `null` for the whole bundle. All are decided either way. */
  readonly only: readonly string[] | null;
  /** Assertions are not checked: who looks for the reason of a broken one, or makes the keys that it needs, must be able to. */
  readonly withoutAssertions?: boolean;
  /**
   * A cluster that looks like a renamed one is another cluster; by default an error, unless the topology is only looked
   * at (`withoutAssertions`).
   */
  readonly allowReplacements?: boolean;
  /** Gateways (`rome/europe`) and consumers (`rome`) whose keys are known to exist, although the keys file has lost them: nothing follows from that. */
  readonly lostKeys?: ReadonlySet<string>;
  /** Readers of the sources; a process that compiles repeatedly keeps the results for unchanged sources. */
  readonly readers?: Readers;
  /** Printer of the bundle; such a process keeps unchanged texts. */
  readonly emit?: typeof emitBundle;
  /** Printer of the next lock; such a process keeps it, too. */
  readonly lockOf?: typeof nextLock;
}

/** Functions that turn sources into values. */
interface Readers {
  readonly topology: (source: Source, included: readonly Source[]) => Outcome<Declaration>;
  readonly keys: (source: Source) => Outcome<KeysDocument>;
  readonly identities: (source: Source) => Outcome<IdentitiesDocument>;
  readonly lock: (source: Source) => Outcome<LockDocument>;
}

export const READERS: Readers = {
  topology: (source, included) => nameLookalikes(andThen(parseTopology(source, included), checkTopology)),
  keys: (source) => nameLookalikes(parseKeys(source)),
  identities: parseIdentities,
  lock: parseLock,
};

export interface Compiled {
  readonly model: BoundedModel;
  readonly bundle: Bundle;
  /** Text of the next lock file, printed when it is asked for. */
  readonly lock: string;
  /** The inputs of the result, as they were read: `verify` derives the expected bundle from them. */
  readonly inputs: {
    readonly declaration: Declaration;
    readonly keys: KeysDocument | undefined;
    readonly identities: IdentitiesDocument | undefined;
    readonly decisions: Decisions;
  };
}

/** weft in one function: text in, bundle and lock out. Pure; every mistake is a diagnostic with a place. */
export function compile(
  sources: Sources,
  {
    relock,
    nudge = [],
    only,
    withoutAssertions = false,
    allowReplacements = withoutAssertions,
    lostKeys = NO_KEYS,
    readers = READERS,
    emit = emitBundle,
    lockOf = nextLock,
  }: CompileOptions,
): Outcome<Compiled> {
  const checked = readers.topology(sources.topology, sources.included ?? []);
  const keys = optional(sources.keys, readers.keys);
  const identities = optional(sources.identities, readers.identities);
  const lock = optional(sources.lock, readers.lock);
  const named = andThen(all(checked, keys, identities, lock), ([declaration, keysFile, identitiesFile, lockFile]) =>
    applyRenames({ declaration, keys: keysFile, identities: identitiesFile, decisions: decisionsOf(lockFile) }),
  );
  const compiled = andThen(named, (it) => {
    const { declaration, keys: keysFile, decisions: recorded } = it;
    const names = relock.length === 0 ? [] : declaration.clusters.map((one) => one.name);
    const decisions = raiseNudges(forget(recorded, relock, names), nudge);
    const declared = declaration.names.map((one) => one.value);
    const model = whenNamed(resolveModel(declaration, keysFile, decisions), (network) => {
      const inFiles = { decisions: decisionsOf(optionalValue(lock)), keys: optionalValue(keys) };
      return judgeNames({ model: network, declared, recorded: inFiles, allowReplacements });
    });
    const keyed = andThen(model, (network) => outcome(lostKeys.size === 0 ? network : withKeys(network, lostKeys)));
    const addressed = andThen(keyed, (network) => assignAddresses(network, decisions));
    const wasCompiled = it.decisions.size > 0;
    const mayBeLost = wasCompiled && it.keys === undefined;
    const shared = andThen(
      andThen(addressed, (network) => everyGatewayHasAKey(network, lostKeys, mayBeLost)),
      (network) => resolveSharing(network, { ...it, wasCompiled, lostKeys }),
    );
    const bounded = andThen(shared, (network) => resolveBoundaries(network, declaration));
    const asserted = andThen(bounded, (network) =>
      decideAssertions(network, withoutAssertions ? [] : declaration.assertions, mayBeLost),
    );
    const served = andThen(asserted, (network) =>
      checkServices(network, withoutAssertions ? null : declaration.serviceAssertions),
    );
    const robust = andThen(served, (network) => decideWithout(network, withoutAssertions ? null : declaration));
    return andThen(robust, (whole) => {
      const lock = once(() => lockOf(whole));
      return outcome({
        model: whole,
        bundle: emit(whole, only),
        get lock() {
          return lock();
        },
        inputs: { ...it, decisions },
      });
    });
  });
  return applyAcceptances(dropNotesOnFailure(compiled), {
    acceptances: checked.ok ? checked.value.acceptances : [],
    isComplete: !withoutAssertions,
  });
}

const NO_KEYS: ReadonlySet<string> = new Set();

/** Everything else about a network whose clusters have the wrong names follows from that, so it is left out. */
function whenNamed<T>(model: Outcome<T>, judge: (model: T) => readonly Diagnostic[]): Outcome<T> {
  const named = model.ok ? outcome(model.value, judge(model.value)) : model;
  return model.ok && named.ok ? andThen(model, () => named) : named;
}

const optionalValue = <T>(read: Outcome<T | undefined>): T | undefined => (read.ok ? read.value : undefined);

/** Notes are about a bundle that is written, so they are left out when there is an error. */
function dropNotesOnFailure<T>(outcome: Outcome<T>): Outcome<T> {
  return outcome.ok ? outcome : failure(outcome.diagnostics.filter((it) => it.severity !== 'note'));
}

function optional<T>(source: Source | undefined, parse: (source: Source) => Outcome<T>): Outcome<T | undefined> {
  return source ? parse(source) : outcome(undefined);
}

/** Readings side by side, so that mistakes in all files are reported in one run. */
function all<A, B, C, D>(a: Outcome<A>, b: Outcome<B>, c: Outcome<C>, d: Outcome<D>): Outcome<readonly [A, B, C, D]> {
  const diagnostics = [a, b, c, d].flatMap((it) => it.diagnostics);
  return a.ok && b.ok && c.ok && d.ok
    ? outcome([a.value, b.value, c.value, d.value] as const, diagnostics)
    : failure(diagnostics);
}
