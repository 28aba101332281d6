import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { type Source, startOf } from '../../base/source/source.ts';
import type { DumpValue, WantedKind } from './dump-value.ts';
import { isJsonMap, type Json, type JsonMap, textAt } from './json.ts';
import type { LiveObject } from './kubernetes-object.ts';
import { emptyDump, notAnObject, refusedByServer } from './live-diagnostics.ts';
import { objectOf } from './object-of.ts';
import { readJsonDump } from './read-json-dump.ts';
import { readYamlDump } from './read-yaml-dump.ts';

/** The most mistakes that are reported for one dump. */
const MOST = 20;

/** Levels of lists in lists. */
const DEEPEST_LIST = 8;

/**
 * The objects of a dump, in its order: what `kubectl get -o json` or `-o yaml` printed, once or several times into one file.
 * Lists of any kind are opened, and typed lists, whose items have no kind, too. The objects have no secrets any more.
 */
export function readDump(source: Source, isWanted: WantedKind = () => true): Outcome<readonly LiveObject[]> {
  if (source.text.trim() === '') return outcome<readonly LiveObject[]>([], [emptyDump(startOf(source))]);
  const reading = readJsonDump(source, isWanted) ?? readYamlDump(source, isWanted);
  if (!reading.ok) return reading;
  const problems: Diagnostic[] = [];
  const found: LiveObject[] = [];
  for (const it of reading.value.flatMap((top) => itemsOf(top))) {
    const { apiVersion, kind } = isJsonMap(it.value) ? it.value : {};
    if (typeof apiVersion === 'string' && typeof kind === 'string' && !isWanted(apiVersion, kind)) {
      if (kind !== 'Status') continue;
    }
    const read = kind === 'Status' ? undefined : objectOf(it.value);
    if (read?.kind === 'object') found.push({ object: read.object, at: it.at });
    else if (problems.length < MOST) problems.push(problemOf(it, read?.why));
  }
  return outcome<readonly LiveObject[]>(found, problems);
}

const problemOf = ({ value, at }: DumpValue, why: string | undefined): Diagnostic =>
  why === undefined ? refusedByServer(at(), textAt(value, 'message') ?? 'no reason is given') : notAnObject(at(), why);

/** The items of a list, of whatever kind, at any depth; any other value as it is. */
function itemsOf(it: DumpValue, depth = 0): readonly DumpValue[] {
  const { value, at, itemAt } = it;
  const items = listedIn(value);
  if (items === undefined || depth === DEEPEST_LIST) return [it];
  return items.flatMap((item, index) =>
    itemsOf(
      {
        value: isJsonMap(value) ? typed(item, value) : item,
        at: itemAt === undefined ? at : () => itemAt(index),
      },
      depth + 1,
    ),
  );
}

function listedIn(value: Json): readonly Json[] | undefined {
  if (Array.isArray(value)) return value as readonly Json[];
  if (!isJsonMap(value) || !String(value['kind']).endsWith('List') || !('items' in value)) return undefined;
  const items = value['items'] ?? [];
  return Array.isArray(items) ? (items as readonly Json[]) : undefined;
}

/** An item with the kind that its list has for all of them. Source: kubernetes, API conventions, "Lists and Simple kinds". */
function typed(item: Json, list: JsonMap): Json {
  const kind = String(list['kind']).replace(/List$/, '');
  if (!isJsonMap(item) || item['kind'] !== undefined || kind === '') return item;
  return { apiVersion: list['apiVersion'] ?? '', kind, ...item };
}
