/** The files that a repository shall have, all by their full path in it. */
export interface WantedFiles {
  /** `null` where no file shall be. */
  readonly files: ReadonlyMap<string, string | null>;
  /** The file that lists what weft wrote, and how to read it. What it lists and nobody wants any more is deleted. */
  readonly record: { readonly path: string; readonly list: (text: string) => readonly string[] };
  /** Once written by weft and edited since: they stay, and are somebody else's. */
  readonly keep: ReadonlySet<string>;
}
