/** The wanted files of one folder below root, in a form that threads can hand over without a copy. */
interface PackedFolder {
  /** As `folderOf` has it; empty for the files that are in no folder. */
  readonly folder: string;
  readonly paths: readonly string[];
  /** Their texts in UTF-8, one after the other. */
  readonly bytes: Buffer;
  /** Where each of them ends. */
  readonly ends: readonly number[];
}

/** Packs the files of a folder into a buffer that is used again, if it is large enough. */
export function packFolder(folder: string, files: ReadonlyMap<string, string>, reusable: Buffer): PackedFolder {
  let size = 0;
  for (const text of files.values()) size += Buffer.byteLength(text);
  const bytes = size <= reusable.length ? reusable : Buffer.allocUnsafeSlow(size * 2);
  const ends: number[] = [];
  let at = 0;
  for (const text of files.values()) {
    at += bytes.write(text, at);
    ends.push(at);
  }
  return { folder, paths: [...files.keys()], bytes, ends };
}

/** The bytes of the file with that number. */
export const bytesOf = ({ bytes, ends }: PackedFolder, index: number): Buffer =>
  bytes.subarray(index === 0 ? 0 : ends[index - 1], ends[index]);
