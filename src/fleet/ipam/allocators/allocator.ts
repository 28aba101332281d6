import type { Prefix } from '../../../base/net/prefix.ts';

/**
 * Why a request is refused: an exact request collides (`unavailable`), no network of that length is left (`exhausted`),
 * no pool contains the request (`not-in-pool`), or it covers several adjacent pools exactly (`rejected`, best-fit only).
 * `...-half-leaked`, best-fit only: the request was for a whole pool of which one half was taken; it is refused, but the
 * other half stays taken until the pool is released.
 */
export type AllocationFailure =
  | 'unavailable'
  | 'exhausted'
  | 'not-in-pool'
  | 'rejected'
  | 'unavailable-half-leaked'
  | 'exhausted-half-leaked';

export type Allocation =
  | { readonly ok: true; readonly prefix: Prefix }
  | { readonly ok: false; readonly failure: AllocationFailure };

/** The IPAM of one cluster: it stores the taken networks and assigns networks to requests. */
export interface Allocator {
  /** Takes this network, or another one of the same length. */
  acquire(wanted: Prefix): Allocation;
  /** Takes exactly this network, or fails. `shared` has an effect only in releases with shared reservations. */
  reserve(wanted: Prefix, shared: boolean): Allocation;
  /** Frees exactly this network; `undefined` when it was not taken. */
  release(prefix: Prefix): Prefix | undefined;
  /** True when an exact exclusive request for this network would succeed right now. Changes nothing. */
  fits(wanted: Prefix): boolean;
  /** Number of further networks of this length that could be moved into the pools now. Changes nothing. */
  countFree(length: number): number;
}

export const granted = (prefix: Prefix): Allocation => ({ ok: true, prefix });

export const refused = (failure: AllocationFailure): Allocation => ({ ok: false, failure });
