/** The part of a file that one object takes, by the numbers of its lines; the end is not included. */
interface DocumentRange {
  /** What identifies the object: `Configuration liqo-tenant-rome/rome`; empty for a document that is no object. */
  readonly object: string;
  readonly start: number;
  readonly end: number;
}

interface SplitFile {
  /** Lines above the first document: the header of a generated file. */
  readonly headerEnd: number;
  /** Between any two of them there is one line `---`, which belongs to none. */
  readonly documents: readonly DocumentRange[];
}

/** The documents of a YAML file. Every line belongs to the header, to one document, or is the line between two of them. */
export function splitDocuments(lines: readonly string[]): SplitFile {
  let headerEnd = 0;
  while (headerEnd < lines.length && lines[headerEnd]?.startsWith('#')) headerEnd++;
  const documents: DocumentRange[] = [];
  let start = headerEnd;
  for (let at = headerEnd; at <= lines.length; at++) {
    if (at < lines.length && lines[at] !== '---') continue;
    documents.push({ object: objectIn(lines, start, at), start, end: at });
    start = at + 1;
  }
  return { headerEnd, documents };
}

/** The name of an object as block YAML has it; what is written in another way has no name, and is compared by its place. */
function objectIn(lines: readonly string[], start: number, end: number): string {
  let [kind, name, namespace, section] = ['', '', '', ''];
  for (let at = start; at < end; at++) {
    const [, key, value = ''] = /^([A-Za-z][\w-]*):(?: (.*))?$/.exec(lines[at] as string) ?? [];
    if (key !== undefined) {
      section = key;
      if (key === 'kind' && kind === '') kind = scalar(value);
    } else if (section === 'metadata') {
      const [, field, text = ''] = /^ {2}(name|namespace): (.*)$/.exec(lines[at] as string) ?? [];
      if (field === 'name') name = scalar(text);
      if (field === 'namespace') namespace = scalar(text);
    }
  }
  if (kind === '') return '';
  const place = namespace === '' ? name : `${namespace}/${name}`;
  return place === '' ? kind : `${kind} ${place}`;
}

const scalar = (text: string): string => /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;
