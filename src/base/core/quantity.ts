/*
 * Quantities of Kubernetes: `4`, `2500m`, `8Gi`. The API server stores them in a canonical form: the first controller that
 * updates an object with another form writes it back in the canonical one.
 * Source: kubernetes/apimachinery@v0.35.0 pkg/api/resource/quantity.go (ParseQuantity, CanonicalizeBytes).
 */

type Format = 'decimal' | 'binary' | 'exponent';

export interface Quantity {
  /** The value in billionths, the smallest unit of Kubernetes. */
  readonly nanos: bigint;
  readonly format: Format;
}

const NANOS = 1_000_000_000n;

/** Decimal suffix -> power of ten. */
const DECIMAL: ReadonlyMap<string, number> = new Map([
  ['n', -9],
  ['u', -6],
  ['m', -3],
  ['', 0],
  ['k', 3],
  ['M', 6],
  ['G', 9],
  ['T', 12],
  ['P', 15],
  ['E', 18],
]);

const BINARY: readonly string[] = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

const QUANTITY = /^\+?(?:(\d{1,30})(?:\.(\d{0,30}))?|\.(\d{1,30}))(?:([KMGTPE]i)|([numkMGTPE]?)|[eE]([+-]?\d{1,2}))$/;

/** Parses a quantity; `undefined` for another text, and for a negative one: nothing less than zero can be lent. */
export function parseQuantity(text: string): Quantity | undefined {
  const match = QUANTITY.exec(text);
  if (match === null) return undefined;
  const [, whole = '0', part, bare, binary, suffix, exponent] = match;
  const fraction = part ?? bare ?? '';
  const digits = BigInt(whole + fraction);
  if (binary !== undefined) {
    return quantity(digits * NANOS * 1024n ** BigInt(BINARY.indexOf(binary)), fraction.length, 'binary');
  }
  const power = exponent === undefined ? (DECIMAL.get(suffix ?? '') ?? 0) : Number(exponent);
  const scaled = power < 0 ? digits * NANOS : digits * NANOS * 10n ** BigInt(power);
  return quantity(scaled, fraction.length + Math.max(0, -power), exponent === undefined ? 'decimal' : 'exponent');
}

/** Rounds fractions of a billionth up, as Kubernetes does. */
function quantity(scaled: bigint, decimals: number, format: Format): Quantity {
  const divisor = 10n ** BigInt(decimals);
  return { nanos: (scaled + divisor - 1n) / divisor, format };
}

/** Prints the canonical text. */
export function printQuantity({ nanos, format }: Quantity): string {
  if (format === 'binary' && nanos >= 1024n * NANOS && nanos % NANOS === 0n) return printBinary(nanos / NANOS);
  return printDecimal(nanos, format === 'exponent');
}

function printBinary(value: bigint): string {
  let [rest, step] = [value, 0];
  while (step < BINARY.length - 1 && rest % 1024n === 0n) {
    rest /= 1024n;
    step += 1;
  }
  return `${rest}${BINARY[step]}`;
}

function printDecimal(nanos: bigint, asExponent: boolean): string {
  if (nanos === 0n) return '0';
  let [rest, power] = [nanos, -9];
  while (power < 18 && rest % 1000n === 0n) {
    rest /= 1000n;
    power += 3;
  }
  if (asExponent) return power === 0 ? `${rest}` : `${rest}e${power}`;
  return `${rest}${[...DECIMAL].find(([, it]) => it === power)?.[0] ?? ''}`;
}

/** The canonical text of a quantity; any other text unchanged. */
export function canonicalQuantity(text: string): string {
  const parsed = parseQuantity(text);
  return parsed === undefined ? text : printQuantity(parsed);
}
