import fc from 'fast-check';
import {
  applyEdit,
  arbitraryEdit,
  arbitraryFleet,
  type Edit,
  type EditKind,
  type Fleet,
} from './arbitrary-topology.ts';
import { compiled, type Decided, expectNoLockErrors, tryCompile } from './compile-spec.ts';

/** A state of a fleet: what is compiled from it and the lock of the state before. */
export interface State {
  readonly fleet: Fleet;
  readonly decided: Decided;
}

/** A fleet and some edits, one after the other. */
export interface Story {
  readonly fleet: Fleet;
  readonly edits: readonly Edit[];
}

export const arbitraryStory = (kinds: readonly EditKind[], maxLength = 6): fc.Arbitrary<Story> =>
  fc.record({
    fleet: arbitraryFleet({ maxClusters: 7 }),
    edits: fc.array(arbitraryEdit(kinds), { minLength: 1, maxLength }),
  });

/**
 * Every state on the way, the lock handed on. An edit that makes the topology invalid is not merged.
 *
 * @param only clusters whose bundles are wanted; none by default, since most laws look at the lock.
 */
export function statesOf({ fleet, edits }: Story, only: readonly string[] | null = []): readonly [State, ...State[]] {
  const states: [State, ...State[]] = [{ fleet, decided: compiled(fleet.spec, undefined, { only }) }];
  for (const edit of edits) {
    const last = states.at(-1) as State;
    const next = applyEdit(last.fleet, edit);
    const result = tryCompile(next.spec, last.decided.lock, { only });
    expectNoLockErrors(result.diagnostics);
    if (result.ok) states.push({ fleet: next, decided: { ...result.value, diagnostics: result.diagnostics } });
  }
  return states;
}
