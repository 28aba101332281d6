import { type Address, sameAddress } from './address.ts';

/** The fields of a packet that NAT may change. Ports do not change, so a trace needs none. */
export interface Packet {
  readonly source: Address;
  readonly destination: Address;
}

/** The answer to a packet, as its receiver sends it. */
export const answerTo = ({ source, destination }: Packet): Packet => ({ source: destination, destination: source });

export const samePacket = (a: Packet, b: Packet): boolean =>
  sameAddress(a.source, b.source) && sameAddress(a.destination, b.destination);
