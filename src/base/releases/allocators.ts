import { DEFAULT_RELEASE, isCandidate, RELEASE_LINES, type Release, type ReleaseLine } from './release.ts';

/** The IPAM that chooses an address. `best-fit` is the one of Liqo before 1.0 final. */
export type AllocatorKind = 'liqo-1.0' | 'liqo-1.2' | 'best-fit';

/** The setting in the topology: the allocator of the release, or that of Liqo before 1.0. */
type AllocatorSetting = 'liqo' | 'best-fit';

export interface AllocatorTraits {
  /** The method to find another network: a walk down the tree of halves, or the smallest sufficient free block. */
  readonly search: 'walk' | 'smallest-block';
  /**
   * The handling of a request that lies in no pool: it is refused; it is moved into a pool, if the request allows that
   * (an exact one for several owners is granted and not recorded); or it is granted unchanged.
   */
  readonly outsidePools: 'refused' | 'moved' | 'granted';
  /** True when networks reserved for several owners may overlap each other. */
  readonly sharesReservations: boolean;
  /**
   * True when a request can be moved although its network lies in a pool and is free: one for a whole pool is moved.
   */
  readonly movesFreeNetworks: boolean;
  readonly takesOverlappingPools: boolean;
}

const ALLOCATORS = {
  /** Source: liqotech/liqo@v1.0.3 and @v1.1.2 pkg/ipam/core/ipam.go, pkg/ipam/core/node.go. */
  'liqo-1.0': {
    search: 'walk',
    outsidePools: 'refused',
    sharesReservations: false,
    movesFreeNetworks: false,
    takesOverlappingPools: true,
  },
  /** Source: liqotech/liqo@v1.2.0 pkg/ipam/core/ipam.go, pkg/ipam/core/node.go, pkg/ipam/networks.go. */
  'liqo-1.2': {
    search: 'walk',
    outsidePools: 'moved',
    sharesReservations: true,
    movesFreeNetworks: false,
    takesOverlappingPools: false,
  },
  /** Source: liqotech/liqo@v1.0.0-rc.2 pkg/liqonet/ipam/ipam.go, metal-stack/go-ipam@v1.11.3 prefix.go. */
  'best-fit': {
    search: 'smallest-block',
    outsidePools: 'granted',
    sharesReservations: false,
    movesFreeNetworks: true,
    takesOverlappingPools: false,
  },
} as const satisfies Readonly<Record<AllocatorKind, AllocatorTraits>>;

const ALLOCATOR_OF_LINE: Readonly<Record<ReleaseLine, AllocatorKind>> = {
  '1.0': 'liqo-1.0',
  '1.1': 'liqo-1.0',
  '1.2': 'liqo-1.2',
};

export const allocatorTraits = (kind: AllocatorKind): AllocatorTraits => ALLOCATORS[kind];

/** The IPAM of a release. */
const allocatorOfRelease = (release: Release): AllocatorKind =>
  isCandidate(release) ? 'best-fit' : ALLOCATOR_OF_LINE[release.line];

/** The IPAM of a cluster, from the fleet's setting and the cluster's release. */
export const allocatorOf = (setting: AllocatorSetting, release: Release): AllocatorKind =>
  setting === 'best-fit' ? 'best-fit' : allocatorOfRelease(release);

/** True when the release has this IPAM: a topology may request one that it does not have. */
export const hasAllocator = (release: Release, kind: AllocatorKind): boolean => allocatorOfRelease(release) === kind;

/** The oldest release line whose IPAM moves a request that lies in no pool into one, for messages. */
export const firstLineThatMovesIntoPools = (): ReleaseLine =>
  RELEASE_LINES.find((line) => ALLOCATORS[ALLOCATOR_OF_LINE[line]].outsidePools === 'moved') ?? DEFAULT_RELEASE.line;
