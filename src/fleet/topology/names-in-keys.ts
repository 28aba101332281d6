import type { KeysDocument } from './keys-document.ts';

/** Every cluster that the keys file names. */
export function namesInKeys(keys: KeysDocument | undefined): ReadonlySet<string> {
  const entries = keys?.reading.at('keys').entries() ?? [];
  const consumers = keys?.reading.at('authentication').entries() ?? [];
  return new Set([
    ...entries.flatMap(({ name, value }) => [name.value, ...value.entries().map((it) => it.name.value)]),
    ...consumers.map((it) => it.name.value),
  ]);
}
