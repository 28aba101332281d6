import type { Source } from './source.ts';

/** A reader that gives the same value again while a file has the same text, for a process that reads its inputs again and again. */
export function rememberLast<T>(read: (source: Source) => T): (source: Source) => T {
  const byPath = new Map<string, { readonly text: string; readonly value: T }>();
  return (source) => {
    const last = byPath.get(source.path);
    if (last?.text === source.text) return last.value;
    const value = read(source);
    byPath.set(source.path, { text: source.text, value });
    return value;
  };
}
