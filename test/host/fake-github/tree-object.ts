/** `mode` has six digits, as GitHub writes it; inside a tree git leaves the first zero of a folder's out. */
export interface GitEntry {
  readonly mode: string;
  readonly id: string;
}

export const FOLDER = '040000';
export const SUBMODULE = '160000';

export const typeOfMode = (mode: string): 'tree' | 'commit' | 'blob' =>
  mode === FOLDER ? 'tree' : mode === SUBMODULE ? 'commit' : 'blob';

/** A tree as git stores it: mode, space, name, NUL, twenty bytes. Source: git, Documentation/gitformat-pack and fsck. */
export function readTree(bytes: Buffer): Map<string, GitEntry> {
  const entries = new Map<string, GitEntry>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const end = bytes.indexOf(0, space);
    const mode = bytes.toString('latin1', at, space).padStart(6, '0');
    entries.set(bytes.toString('utf8', space + 1, end), { mode, id: bytes.toString('hex', end + 1, end + 21) });
    at = end + 21;
  }
  return entries;
}

/** The bytes of a tree. Git sorts the name of a folder as if it ended with a slash. */
export function printTree(entries: ReadonlyMap<string, GitEntry>): Buffer {
  const parts = [...entries].map(([name, { mode, id }]) => ({
    key: Buffer.from(mode === FOLDER ? `${name}/` : name),
    bytes: Buffer.concat([Buffer.from(`${mode.replace(/^0/, '')} ${name}\0`), Buffer.from(id, 'hex')]),
  }));
  return Buffer.concat(parts.sort((a, b) => a.key.compare(b.key)).map((it) => it.bytes));
}
