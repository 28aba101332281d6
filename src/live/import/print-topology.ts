import { printYaml, type YamlValue } from '../../bundle/emit/print-yaml.ts';
import type { ImportedFleet } from './infer-fleet.ts';

/** The line width up to which a map or list is printed on one line. */
const WIDTH = 110;

/** Keys whose entries are always on separate lines. */
const ONE_LINE_EACH = ['clusters', 'peerings', 'shortcuts', 'sharing', 'offloading', 'boundaries', 'accept'];

type YamlMap = { readonly [key: string]: YamlValue | undefined };

/** A printed topology, with the place of each value. */
interface PrintedTopology {
  readonly text: string;
  /** The lines of each value by path, e.g. `clusters.rome.podCIDR` and `peerings.0`. */
  readonly places: ReadonlyMap<string, { readonly start: number; readonly end: number }>;
}

interface Look {
  /** The path of the schema for editors, relative to the file; `null` when it is not nearby. */
  readonly schema: string | null;
}

/** Prints an imported topology: short forms, one line where possible, and comments above values. */
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

/** A key with its value as lines, for a value that is too long for one line. */
export function memberLines(key: string, value: YamlValue, indent: string): string {
  const printer = new Printer(new Map());
  printer.members({ [key]: value }, '', indent);
  return printer.text;
}

class Printer {
  readonly #comments: ReadonlyMap<string, string>;
  /** Paths with a comment below, which cannot be on one line. */
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

/** A value on one line. */
export function flowText(value: YamlValue): string {
  if (Array.isArray(value)) return `[${(value as readonly YamlValue[]).map(flowText).join(', ')}]`;
  if (!isMap(value)) return scalar(value);
  const members = Object.entries(value).flatMap(([key, it]) =>
    it === undefined ? [] : [`${scalar(key)}: ${flowText(it)}`],
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Prints a scalar on one line: a block scalar is not possible inside a flow collection. */
const scalar = (value: YamlValue): string =>
  typeof value === 'string' && value.includes('\n') ? JSON.stringify(value) : printYaml(value).trimEnd();
