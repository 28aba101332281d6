/** The files that a repository must have, by full path. */
export interface WantedFiles {
  /** `null` for a path that must have no file. */
  readonly files: ReadonlyMap<string, string | null>;
  /** The folder of the files that list what weft wrote. A listed file that is no longer generated is deleted. */
  readonly records: {
    readonly folder: string;
    /** All files that a record of that name may list; `undefined` for a file that is no record. */
    readonly list: (name: string, text: string) => readonly string[] | undefined;
  };
  /** Written by weft and edited since: they stay, and weft no longer manages them. */
  readonly keep: ReadonlySet<string>;
}
