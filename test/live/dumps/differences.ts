import { canonical } from '../../support/bundle-files.ts';

/** The rules by which parts of an object are equal although they are written differently. */
export interface Comparing {
  /** Paths of lists whose order has no meaning. */
  readonly sets?: readonly string[];
  /** Paths below which the live object may have more than the expected one. */
  readonly open?: readonly string[];
}

/**
 * The differences of a live part from the expected one, each as `path: expected ..., live ...`. Outside of `open` a
 * member that only the live part has is a difference, too.
 */
export function differences(
  path: string,
  expected: unknown,
  live: unknown,
  comparing: Comparing = {},
): readonly string[] {
  if (comparing.sets?.includes(path) && Array.isArray(expected) && Array.isArray(live)) {
    const [a, b] = [expected, live].map((it) => it.map(canonical).sort());
    return canonical(a) === canonical(b) ? [] : [said(path, expected, live)];
  }
  if (isMap(expected) && isMap(live)) {
    const isOpen = comparing.open?.some((it) => path === it || path.startsWith(`${it}.`)) === true;
    const extra = isOpen ? [] : Object.keys(live);
    const keys = [...new Set([...Object.keys(expected), ...extra])].sort();
    return keys.flatMap((key) => differences(`${path}.${key}`, expected[key], live[key], comparing));
  }
  if (Array.isArray(expected) && Array.isArray(live) && expected.length === live.length) {
    return expected.flatMap((it, i) => differences(`${path}[${i}]`, it, live[i], comparing));
  }
  return canonical(expected) === canonical(live) ? [] : [said(path, expected, live)];
}

const said = (path: string, expected: unknown, live: unknown): string =>
  `${path}: expected ${canonical(expected)}, live ${canonical(live)}`;

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
