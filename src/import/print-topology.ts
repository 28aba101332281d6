import { printYaml, type YamlValue } from '../emit/print-yaml.ts';
import type { ImportedFleet } from './imported-fleet.ts';

/** Up to this column a map or list is on one line, as a person would write it. */
const WIDTH = 110;

/** Below this many levels everything is on one line: `clusters`, and a cluster. */
const BLOCK_LEVELS = 2;

type YamlMap = { readonly [key: string]: YamlValue | undefined };

/** The text of an imported topology: short forms, one line where it fits, a comment above what needs one. */
export function printTopology({ topology, comments }: Pick<ImportedFleet, 'topology' | 'comments'>): string {
  const lines = ['# yaml-language-server: $schema=../schemas/topology.schema.json'];
  writeMembers(lines, topology as unknown as YamlMap, { path: '', indent: '', level: 0 }, comments);
  return `${lines.join('\n')}\n`;
}

interface At {
  readonly path: string;
  readonly indent: string;
  readonly level: number;
}

function writeMembers(lines: string[], map: YamlMap, at: At, comments: ReadonlyMap<string, string>): void {
  for (const [key, value] of Object.entries(map)) {
    if (value === undefined) continue;
    const path = at.path === '' ? key : `${at.path}.${key}`;
    comment(lines, at.indent, comments.get(path));
    writeValue(
      lines,
      `${at.indent}${scalar(key)}:`,
      value,
      { path, indent: `${at.indent}  `, level: at.level + 1 },
      comments,
    );
  }
}

function writeValue(
  lines: string[],
  lead: string,
  value: YamlValue,
  at: At,
  comments: ReadonlyMap<string, string>,
): void {
  const flow = `${lead} ${flowText(value)}`;
  const isCommented = [...comments.keys()].some((it) => it.startsWith(`${at.path}.`));
  const opens = at.level < BLOCK_LEVELS && isMap(value) && at.path !== 'defaults';
  if (!isCommented && !opens && !(Array.isArray(value) && hasMaps(value)) && flow.length <= WIDTH) lines.push(flow);
  else if (isMap(value)) {
    lines.push(lead);
    writeMembers(lines, value, at, comments);
  } else if (Array.isArray(value)) {
    lines.push(lead);
    for (const [index, it] of (value as readonly YamlValue[]).entries()) {
      comment(lines, at.indent, comments.get(`${at.path}.${index}`));
      lines.push(`${at.indent}- ${flowText(it)}`);
    }
  } else lines.push(flow);
}

function comment(lines: string[], indent: string, text: string | undefined): void {
  if (text !== undefined) lines.push(`${indent}# ${text}`);
}

const hasMaps = (list: readonly YamlValue[]): boolean => list.some((it) => typeof it === 'object' && it !== null);

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

const scalar = (value: YamlValue): string => printYaml(value).trimEnd();
