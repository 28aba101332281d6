import { decodeBase64, encodeBase64 } from '../../base/core/base64.ts';
import { isJsonMap, type Json, type JsonMap } from '../dumps/json.ts';
import { groupOf, type KubernetesObject, kindKey } from '../dumps/kubernetes-object.ts';
import { type Allowance, type AllowedChanges, allowanceFor } from './allowances.ts';
import { canonical, isNothing } from './canonical.ts';

/** A part of an object that is not as promised. */
interface Difference {
  readonly path: readonly string[];
  /** `undefined` for a part that is not promised. */
  readonly promised: Json | undefined;
  /** `undefined` for a part that is not there. */
  readonly live: Json | undefined;
}

/** Fields that are no part of what is promised; of metadata only labels and annotations are. */
const IDENTITY = ['apiVersion', 'kind', 'metadata', 'partsRead'];

/**
 * Where a live object differs from the promised one. Of labels, annotations and status, what is promised must be there; in
 * every other field nothing else may be. What was not read of the live object is not compared.
 */
export function* compareObjects(
  promised: KubernetesObject,
  live: KubernetesObject,
  allowed: AllowedChanges,
): Iterable<Difference> {
  const allowance = allowanceFor(kindKey(groupOf(promised.apiVersion), promised.kind), allowed);
  const isRead = (part: string): boolean => live.partsRead?.includes(part) ?? true;
  for (const key of ['labels', 'annotations'] as const) {
    if (isRead(`metadata.${key}`))
      yield* compare(['metadata', key], promised.metadata[key] ?? {}, live.metadata[key] ?? {}, allowance);
  }
  for (const field of new Set([...Object.keys(promised), ...Object.keys(live)])) {
    if (!IDENTITY.includes(field) && isRead(field)) yield* compare([field], promised[field], live[field], allowance);
  }
}

function* compare(
  path: readonly string[],
  promised: Json | undefined,
  live: Json | undefined,
  allowance: Allowance,
): Iterable<Difference> {
  const at = path.join('.');
  if (allowance.ignored.includes(at) || (isNothing(promised) && isNothing(live))) return;
  if (promised === undefined && allowance.open.some((it) => at === it || at.startsWith(`${it}.`))) return;
  if (isJsonMap(promised) && isJsonMap(live)) {
    for (const key of new Set([...Object.keys(promised), ...Object.keys(live)])) {
      yield* compare([...path, key], promised[key], live[key], allowance);
    }
  } else if (path[0] === 'status' && areConditions(promised)) {
    yield* compareConditions(path, promised, isList(live) ? live : [], allowance);
  } else if (isList(promised) && isList(live) && promised.length === live.length && !allowance.sets.includes(at)) {
    for (const [index, it] of promised.entries()) yield* compare([...path, String(index)], it, live[index], allowance);
  } else if (textOf(promised, at, allowance) !== textOf(live, at, allowance)) {
    yield { path, promised, live };
  }
}

function textOf(value: Json | undefined, at: string, { sets, padded }: Allowance): string {
  const isPadded = typeof value === 'string' && padded.includes(at);
  return canonical(isPadded ? withoutZeros(value) : value, sets.includes(at));
}

function withoutZeros(base64: string): string {
  const { kind, bytes } = decodeBase64(base64);
  return kind === 'bytes' ? encodeBase64(bytes.slice(0, bytes.findLastIndex((it) => it !== 0) + 1)) : base64;
}

type Condition = JsonMap & { readonly type: string };

const areConditions = (value: Json | undefined): value is readonly Condition[] =>
  isList(value) && value.length > 0 && value.every((it) => isJsonMap(it) && typeof it['type'] === 'string');

/**
 * Conditions are compared by their type: Liqo writes them in any order, and some of them twice.
 * Source: liqotech/liqo@v1.2.0 pkg/liqo-controller-manager/offloading/virtualnode-controller/condition.go.
 */
function* compareConditions(
  path: readonly string[],
  promised: readonly Condition[],
  live: readonly Json[],
  allowance: Allowance,
): Iterable<Difference> {
  for (const it of promised) {
    const same = live.filter((one) => isJsonMap(one) && one['type'] === it.type);
    if (same.length === 0) yield { path: [...path, it.type], promised: it, live: undefined };
    const [first] = same.flatMap((one) => {
      const found = [...compare([...path, it.type], it, one, allowance)];
      return found.length === 0 ? [] : [found];
    });
    yield* first ?? [];
  }
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
