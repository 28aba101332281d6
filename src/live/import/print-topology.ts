import { printYaml, type YamlValue } from '../../bundle/emit/print-yaml.ts';
import type { ImportedFleet } from './infer-fleet.ts';

/** Up to this column a map or list is on one line, as a person would write it. */
const WIDTH = 110;

/** Keys whose entries are on lines of their own, however short they are. */
const ONE_LINE_EACH = ['clusters', 'peerings', 'shortcuts', 'sharing', 'offloading'];

type YamlMap = { readonly [key: string]: YamlValue | undefined };

/** The text of a topology, and where in it each value begins and ends. */
interface PrintedTopology {
  readonly text: string;
  /** By path, as in `clusters.rome.podCIDR` and `peerings.0`: the line or lines of that value. */
  readonly places: ReadonlyMap<string, { readonly start: number; readonly end: number }>;
}

interface Look {
  /** Where an editor finds the schema, from the file; `null` for a file that is not near one. */
  readonly schema: string | null;
}

/** The text of an imported topology: short forms, one line where it fits, a comment above what needs one. */
export function printTopology(
  { topology, comments }: Pick<ImportedFleet, 'topology' | 'comments'>,
  { schema }: Look,
): PrintedTopology {
  const printer = new Printer(comments);
  if (schema !== null) printer.line(`# yaml-language-server: $schema=${schema}`);
  for (const it of (comments.get('') ?? '').split('\n')) if (it !== '') printer.line(`# ${it}`);
  printer.members(topology as unknown as YamlMap, '', '');
  return { text: printer.text, places: printer.places };
}

class Printer {
  readonly #comments: ReadonlyMap<string, string>;
  /** Paths below which there is a comment: they cannot be on one line. */
  readonly #commented = new Set<string>();
  readonly #lines: string[] = [];
  readonly places = new Map<string, { readonly start: number; readonly end: number }>();
  #length = 0;

  constructor(comments: ReadonlyMap<string, string>) {
    this.#comments = comments;
    for (const path of comments.keys()) {
      const keys = path.split('.');
      for (let count = 1; count < keys.length; count++) this.#commented.add(keys.slice(0, count).join('.'));
    }
  }

  get text(): string {
    return this.#lines.join('');
  }

  line(text: string): void {
    this.#lines.push(`${text}\n`);
    this.#length += text.length + 1;
  }

  members(map: YamlMap, path: string, indent: string): void {
    for (const [key, value] of Object.entries(map)) {
      if (value !== undefined) this.#member(`${scalar(key)}:`, value, path === '' ? key : `${path}.${key}`, indent);
    }
  }

  #member(lead: string, value: YamlValue, path: string, indent: string): void {
    this.#comment(path, indent);
    const start = this.#length + indent.length;
    const flow = `${indent}${lead} ${flowText(value)}`;
    if (!this.#isOpen(value, path) && flow.length <= WIDTH) this.line(flow);
    else if (isMap(value)) {
      this.line(`${indent}${lead}`);
      this.members(value, path, `${indent}  `);
    } else if (Array.isArray(value)) {
      this.line(`${indent}${lead}`);
      for (const [index, it] of (value as readonly YamlValue[]).entries())
        this.#item(it, `${path}.${index}`, `${indent}  `);
    } else this.line(flow);
    this.places.set(path, { start, end: this.#length - 1 });
  }

  #item(value: YamlValue, path: string, indent: string): void {
    this.#comment(path, indent);
    const start = this.#length + indent.length;
    const flow = `${indent}- ${flowText(value)}`;
    if (flow.length <= WIDTH || !isMap(value)) this.line(flow);
    else {
      const [[first, its] = ['', null], ...others] = Object.entries(value).filter(([, it]) => it !== undefined);
      this.#member(`- ${scalar(first)}:`, its ?? null, `${path}.${first}`, indent);
      this.members(Object.fromEntries(others), path, `${indent}  `);
    }
    this.places.set(path, { start, end: this.#length - 1 });
  }

  #isOpen(value: YamlValue, path: string): boolean {
    if (isEmpty(value)) return false;
    return this.#commented.has(path) || (ONE_LINE_EACH.includes(path) && typeof value === 'object');
  }

  #comment(path: string, indent: string): void {
    const text = this.#comments.get(path);
    if (text !== undefined) for (const it of text.split('\n')) this.line(`${indent}# ${it}`);
  }
}

const isEmpty = (value: YamlValue): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

const isMap = (value: YamlValue | undefined): value is YamlMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function flowText(value: YamlValue): string {
  if (Array.isArray(value)) return `[${(value as readonly YamlValue[]).map(flowText).join(', ')}]`;
  if (!isMap(value)) return scalar(value);
  const members = Object.entries(value).flatMap(([key, it]) =>
    it === undefined ? [] : [`${scalar(key)}: ${flowText(it)}`],
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** On one line: a text with line breaks would otherwise be a block, which no flow can contain. */
const scalar = (value: YamlValue): string =>
  typeof value === 'string' && value.includes('\n') ? JSON.stringify(value) : printYaml(value).trimEnd();
