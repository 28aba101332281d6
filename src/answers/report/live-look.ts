import { visibleText } from '../../base/core/visible-text.ts';
import { firstLines, someOf } from '../../base/core/words.ts';
import type { LinkFault } from '../../live/faults/link-faults.ts';
import type { Paint } from './paint.ts';

/** What an answer about live clusters rests on. */
export interface LookReport {
  /** Dumps and contexts, as the user named them. */
  readonly sources: readonly string[];
  readonly looked: readonly string[];
  /** Clusters that were not looked at, and are known from their peers. */
  readonly inferred: readonly string[];
  /** What is wrong with the links that the answer is about. */
  readonly faults: readonly LinkFault[];
  /** Where git says something else. */
  readonly gitSays: readonly string[];
}

const NAMED = 6;
const SHOWN = 20;

/** The line above an answer about live clusters. */
export function printLookHead({ sources, looked, inferred }: LookReport): string {
  const rest = inferred.length === 0 ? '' : `; ${someOf(inferred, NAMED)} only as their peers know them`;
  return `${visibleText(`Live, not git: ${someOf(looked, NAMED)}, from ${someOf(sources, NAMED)}${rest}.`)}\n\n`;
}

/** The lines below it; nothing where all is well and as git says. */
export function printLookFoot({ faults, gitSays }: LookReport, paint: Paint): string {
  const lines = [
    ...faults.map((it) => paint.warning(visibleText(faultText(it)))),
    ...gitSays.map((it) => visibleText(it)),
  ];
  if (lines.length === 0) return '';
  return `\n${firstLines(lines, SHOWN, (left) => `... and ${left} more; -o json lists all`).join('\n')}\n`;
}

/** The same for programs. */
export const lookDocument = ({ faults, ...look }: LookReport) => ({
  ...look,
  faults: faults.map(({ cluster, peer, kind, stops, ...more }) => ({
    cluster,
    peer,
    kind,
    stops,
    text: faultText({ cluster, peer, kind, stops, ...more } as LinkFault),
  })),
});

/** One sentence about what is wrong with a live link, without a full stop. */
export function faultText(fault: LinkFault): string {
  return `${fault.cluster} towards ${fault.peer}: ${whatIsWrong(fault)}`;
}

function whatIsWrong(fault: LinkFault): string {
  switch (fault.kind) {
    case 'no-gateway':
      return 'it has no gateway';
    case 'no-configuration':
      return 'it has no Configuration';
    case 'no-view':
      return `the Configuration ${fault.object} has no status, so nothing is translated`;
    case 'no-public-key':
      return 'it has no PublicKey, so its gateway does not know the peer';
    case 'several':
      return `it has ${fault.objects.length} ${fault.what}, and Liqo wants one: ${fault.objects.join(', ')}`;
    case 'stale-view':
      return `the Configuration ${fault.object} has ${fault.cidr} ${fault.named.join(', ')}, and ${fault.peer} has ${fault.has.join(', ')}`;
    case 'stale-local':
      return `the Configuration ${fault.object} has ${fault.named.join(', ')} as its own ${fault.cidr} networks, which are ${fault.has.join(', ')}`;
    case 'unkept-view':
      return `it sees the ${fault.cidr} CIDR ${fault.network} as ${fault.live} (Configuration ${fault.object}), and ${fault.why}; weft cannot compute with that view, so this answer has ${fault.assumed} instead`;
    case 'not-connected':
      return `the Connection ${fault.object} is ${fault.value === '' ? 'without a state' : `"${fault.value}"`}`;
    case 'no-connection':
      return 'its gateway has written no Connection';
    case 'dials-another-port':
      return `its gateway dials port ${fault.dials}, and ${fault.peer} offers ${fault.offers}`;
    case 'mtu-differs':
      return `its gateway has the MTU ${fault.mtu}, and that of ${fault.peer} ${fault.peerMtu}`;
  }
}
