/** The supported release lines. After adding one, no table of this room compiles until its column is filled in. */
export const RELEASE_LINES = ['1.0', '1.1', '1.2'] as const;

export type ReleaseLine = (typeof RELEASE_LINES)[number];

/** A Liqo release, for instance `{ line: '1.2', version: '1.2.0' }`. */
export interface Release {
  readonly line: ReleaseLine;
  /** The version with the patch, without a leading `v`. */
  readonly version: string;
}

/**
 * The newest patch of each line that weft has been checked against.
 * Source: liqotech/liqo tags v1.0.3, v1.1.2, v1.2.0.
 */
export const NEWEST_PATCH: Readonly<Record<ReleaseLine, string>> = { '1.0': '1.0.3', '1.1': '1.1.2', '1.2': '1.2.0' };

/** The release of a topology that names none. */
export const DEFAULT_RELEASE: Release = { line: '1.2', version: NEWEST_PATCH['1.2'] };

/**
 * The release candidates of 1.0.0 that have the earlier allocator, without the walk, and the rules of 1.0.0. Later
 * candidates have the allocator of 1.0 and are not supported.
 * Source: liqotech/liqo@v1.0.0-rc.1 and @v1.0.0-rc.2 pkg/liqonet/ipam/ipam.go; @v1.0.0-rc.3 has pkg/ipam/core instead.
 */
export const CANDIDATES = ['1.0.0-rc.1', '1.0.0-rc.2'] as const;

export const isCandidate = ({ version }: Release): boolean => CANDIDATES.some((it) => it === version);

/**
 * Parses `"1.1"` or `"1.1.2"`; a line alone means its newest known patch. `undefined` for an unsupported line, and for
 * candidates without best-fit.
 */
export function releaseOf(text: string): Release | undefined {
  const candidate = CANDIDATES.find((it) => it === text);
  if (candidate !== undefined) return { line: '1.0', version: candidate };
  const line = RELEASE_LINES.find((it) => text === it || (text.startsWith(`${it}.`) && /^\d+$/.test(patchOf(text))));
  return line && { line, version: text === line ? NEWEST_PATCH[line] : text };
}

/** True when the patch is newer than those that weft has been checked against. */
export function isNewerThanChecked({ line, version }: Release): boolean {
  return Number(patchOf(version)) > Number(patchOf(NEWEST_PATCH[line]));
}

/**
 * True for releases up to 1.0.0, where the rule that translates sources matches the cluster's own networks instead of
 * the peer's.
 * Source: liqotech/liqo@v1.0.0 pkg/liqo-controller-manager/networking/external-network/remapping/cidr.go; 7228d3801,
 * which is in v1.0.1 and later, corrects it.
 */
export const translatesSourcesWrongly = (release: Release): boolean =>
  release.version === '1.0.0' || isCandidate(release);

export const areOfOneLine = (a: Release, b: Release): boolean => a.line === b.line;

/**
 * True when a version (`1.1.2`) or a line (`1.1`) is older than another. A line is compared as its first patch, and a
 * release candidate (`1.0.0-rc.2`) is older than its release.
 */
export function isOlder(a: string, b: string): boolean {
  const [x, y] = [numbersOf(a), numbersOf(b)];
  const i = x.findIndex((it, at) => it !== y[at]);
  return i !== -1 && (x[i] ?? 0) < (y[i] ?? 0);
}

function numbersOf(version: string): readonly number[] {
  const [release = '', candidate] = version.split('-rc.');
  const parts = release.split('.').map(Number);
  return [
    ...[0, 1, 2].map((i) => parts[i] ?? 0),
    candidate === undefined ? Number.POSITIVE_INFINITY : Number(candidate),
  ];
}

const patchOf = (version: string): string => version.split('.').slice(2).join('.');

export const isSameRelease = (a: Release, b: Release): boolean => a.version === b.version;
