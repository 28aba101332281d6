/** The files that a repository must have, by full path. */
export interface WantedFiles {
  /** `null` for a path that must have no file. */
  readonly files: ReadonlyMap<string, string | null>;
  /** The file that lists what weft wrote, and how to read it. A listed file that is no longer generated is deleted. */
  readonly record: { readonly path: string; readonly list: (text: string) => readonly string[] };
  /** Written by weft and edited since: they stay, and weft no longer manages them. */
  readonly keep: ReadonlySet<string>;
}
