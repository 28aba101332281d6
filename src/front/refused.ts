import type { Refusal, RefusalKind } from '../app/refusal.ts';
import { CommandFailure } from './command-failure.ts';
import { describeRefusal } from './describe-refusal.ts';
import { EXIT, type ExitCode } from './host.ts';

/** 1 if weft has checked and the answer is no, 2 if it cannot answer. */
const EXIT_CODES: { readonly [Kind in RefusalKind]: ExitCode } = {
  'no-folder': EXIT.unable,
  'no-topologies': EXIT.unable,
  'no-topology-in-folder': EXIT.unable,
  'several-topologies': EXIT.unable,
  'not-a-topology': EXIT.unable,
  'no-file': EXIT.unable,
  'file-is-folder': EXIT.unable,
  'file-unreadable': EXIT.unable,
  'no-base': EXIT.unable,
  'no-base-commit': EXIT.unable,
  'base-in-pull-request': EXIT.unable,
  'path-outside-folder': EXIT.unable,
  'path-outside-checkout': EXIT.unable,
  'no-bundles': EXIT.unable,
  'bundles-not-a-folder': EXIT.unable,
  'unknown-cluster': EXIT.unable,
  'not-linked': EXIT.unable,
  'same-fleet-name': EXIT.no,
  'out-of-another-fleet': EXIT.no,
  'out-has-several-fleets': EXIT.unable,
  'bundles-above-fleets': EXIT.no,
  'out-has-other-files': EXIT.unable,
  'out-is-repository': EXIT.unable,
  'not-a-lock': EXIT.unable,
  'lock-of-another-topology': EXIT.unable,
  'no-place-for-plan': EXIT.unable,
  'entry-points-elsewhere': EXIT.no,
  'same-entry-point': EXIT.no,
  'lock-would-change': EXIT.no,
  'fleet-would-be-empty': EXIT.no,
  'clusters-would-be-empty': EXIT.no,
  'tree-blocked': EXIT.unable,
  'tree-busy': EXIT.unable,
  'nothing-reflected': EXIT.no,
  'no-link-to-try': EXIT.unable,
  'secrets-on-terminal': EXIT.unable,
  'secrets-not-read': EXIT.unable,
  'secrets-in-repository': EXIT.unable,
  'secrets-lost': EXIT.unable,
  'keys-busy': EXIT.unable,
  'keys-in-use': EXIT.no,
  'authentication-in-use': EXIT.no,
  'authentication-lost': EXIT.no,
  'authentication-moved': EXIT.no,
  'keys-lost': EXIT.no,
  'keys-moved': EXIT.no,
  'secrets-exist': EXIT.unable,
  'bundles-blocked': EXIT.unable,
  'no-repository': EXIT.unable,
  'no-token': EXIT.unable,
  'no-pull-request': EXIT.unable,
  'branch-is-base': EXIT.unable,
  'branch-of-other-base': EXIT.unable,
  'branch-of-other-topology': EXIT.unable,
  'links-in-the-way': EXIT.unable,
  'lock-is-stale': EXIT.no,
  'cluster-would-lose-peers': EXIT.no,
  'too-much-would-be-removed': EXIT.no,
  'files-exist': EXIT.unable,
  'unknown-code': EXIT.unable,
};

/** A refusal as the failure that the user reads. */
export function refused(refusal: Refusal): CommandFailure {
  const { message, hint } = describeRefusal(refusal);
  return new CommandFailure(message.split('\n'), hint, EXIT_CODES[refusal.kind]);
}
