import type { Source } from './source.ts';

/**
 * A reader that gives the same value again while a file, and those that are read together with it, have the same texts, for a
 * process that reads its inputs again and again.
 */
export function rememberLast<T>(
  read: (source: Source, others: readonly Source[]) => T,
): (source: Source, others?: readonly Source[]) => T {
  const byPath = new Map<string, { readonly sources: readonly Source[]; readonly value: T }>();
  return (source, others = []) => {
    const sources = [source, ...others];
    const last = byPath.get(source.path);
    if (last !== undefined && areSame(last.sources, sources)) return last.value;
    const value = read(source, others);
    byPath.set(source.path, { sources, value });
    return value;
  };
}

const areSame = (some: readonly Source[], others: readonly Source[]): boolean =>
  some.length === others.length && some.every((it, i) => it.path === others[i]?.path && it.text === others[i].text);
