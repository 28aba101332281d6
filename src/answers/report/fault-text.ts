import type { LinkFault } from '../../live/faults/link-fault.ts';

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
