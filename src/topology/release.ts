/** The release lines that weft knows. */
export type ReleaseLine = '1.0' | '1.1' | '1.2';

/** A Liqo release, for instance `{ line: '1.2', version: '1.2.0' }`. */
export interface Release {
  readonly line: ReleaseLine;
  /** With the patch, without a leading `v`. */
  readonly version: string;
}

/** Newest patch of each line that weft has been checked against. Source: liqotech/liqo tags v1.0.3, v1.1.2, v1.2.0. */
export const NEWEST_PATCH: Readonly<Record<ReleaseLine, string>> = { '1.0': '1.0.3', '1.1': '1.1.2', '1.2': '1.2.0' };

/** `"1.1"` or `"1.1.2"` to a release; a line alone means its newest known patch. `undefined` for a line weft does not know. */
export function releaseOf(text: string): Release | undefined {
  const line = /^(1\.[012])(\.\d+)?$/.exec(text)?.[1] as ReleaseLine | undefined;
  if (line === undefined) return undefined;
  return { line, version: text === line ? NEWEST_PATCH[line] : text };
}

export function isAtLeast(release: Release, line: ReleaseLine): boolean {
  return release.line >= line;
}
