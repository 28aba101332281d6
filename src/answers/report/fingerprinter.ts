import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';

/**
 * Identifies a result across runs. It must survive edits above the place, so it has no line number: it consists of code,
 * file and message, and a count distinguishes equal ones.
 */
export function fingerprinter(pathOf: (path: string) => string): (it: Diagnostic) => string {
  const seen = new Map<string, number>();
  return (it) => {
    const hash = hashOf([it.code, pathOf(it.span.source.path), it.message].join('\n'));
    const count = (seen.get(hash) ?? 0) + 1;
    seen.set(hash, count);
    return `${hash}:${count}`;
  };
}

/** FNV-1a with 64 bits over UTF-16 code units, in hexadecimal: short and equal on every machine. It protects no secret. */
function hashOf(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < text.length; i++) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n);
  }
  return hash.toString(16).padStart(16, '0');
}
