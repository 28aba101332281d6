import type { Opening, Target } from './opening.ts';

/** What a firewall in front of the nodes sees as the destination: with NAT no longer what is dialled. */
export function targetInside({ nat, dialled, places }: Opening): Target {
  const [first] = places;
  return nat && first !== undefined ? { address: first.address, port: first.port } : dialled;
}
