/** The scalars of one YAML document by path: `spec.endpoint.port`; entries of lists by number: `spec.remote.cidr.pod.0`. */
export type ManifestLines = ReadonlyMap<string, string>;

interface Level {
  readonly indent: number;
  readonly path: string;
  /** Number of entries of the list at this level so far. */
  items: number;
}

/**
 * Reads block YAML as `emit/print-yaml.ts` prints it, in files of which a fleet has ten thousand. Text in another layout is not
 * parsed, and is reported as a changed file.
 *
 * It is a reader of its own because it reads what it can: a line of an edit or a merge costs that line, and `readQuickYaml` then
 * reads no document of the file. And its scalars are texts as they are written, `1.10` among them.
 */
export function readManifestLines(text: string): readonly ManifestLines[] {
  return text.split(/^---$/m).map(readDocument);
}

function readDocument(text: string): ManifestLines {
  const scalars = new Map<string, string>();
  const levels: Level[] = [{ indent: -1, path: '', items: 0 }];
  for (const line of text.split('\n')) {
    const [, spaces = '', dash, rest = ''] = /^( *)(- )?(.*)$/.exec(line) ?? [];
    if (rest === '' || rest.startsWith('#')) continue;
    // An entry of a list may have the same indentation as the key of the list.
    const indent = spaces.length;
    while (levels.length > 1 && (levels.at(-1)?.indent ?? -1) >= indent + (dash === undefined ? 0 : 1)) levels.pop();
    const above = levels.at(-1) as Level;
    if (dash !== undefined) {
      const path = join(above.path, String(above.items++));
      levels.push({ indent: indent + 1, path, items: 0 });
      readEntry(rest, indent + 2, path, levels, scalars) || scalars.set(path, scalarOf(rest));
    } else {
      readEntry(rest, indent, above.path, levels, scalars);
    }
  }
  return scalars;
}

/** Reads one entry; false when the text is no `key: value`. */
function readEntry(text: string, indent: number, path: string, levels: Level[], scalars: Map<string, string>): boolean {
  const [, key, value] = /^("(?:[^"\\]|\\.)*"|[^\s"][^:]*?(?::[^\s:]+)*?):(?: (.*))?$/.exec(text) ?? [];
  if (key === undefined) return false;
  const here = join(path, scalarOf(key));
  if (value === undefined || value === '') levels.push({ indent, path: here, items: 0 });
  else scalars.set(here, scalarOf(value));
  return true;
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

function scalarOf(text: string): string {
  if (/^'.*'$/.test(text)) return text.slice(1, -1).replaceAll("''", "'");
  if (!text.startsWith('"')) return text;
  try {
    return String(JSON.parse(text));
  } catch {
    return text; // Another layout than weft's.
  }
}

/** The entries of a list of scalars. */
export function listAt(lines: ManifestLines, path: string): readonly string[] {
  const found: string[] = [];
  for (let i = 0; ; i++) {
    const value = lines.get(`${path}.${i}`);
    if (value === undefined) return found;
    found.push(value);
  }
}
