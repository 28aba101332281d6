import { cryptography } from '#cryptography';
import { valueAt } from '../../base/core/collections.ts';
import { utf8Bytes } from '../../base/core/encodings.ts';
import { type Bytes, bytesOf, bytesOfHex, hexOf, typed } from './bytes.ts';
import { type DerValue, partsOf, printDer, readObjectId, TAG } from './der.ts';

/** One attribute of a name. */
export interface Attribute {
  /** `O`, `CN`, or the object identifier in hexadecimal. */
  readonly type: string;
  readonly value: string;
}

/** Object identifiers 2.5.4.10 and 2.5.4.3. Source: RFC 4519, sections 2.19 and 2.3. */
const ATTRIBUTE_IDS: Readonly<Record<string, string>> = { O: '55040a', CN: '550403' };
const ATTRIBUTE_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries(ATTRIBUTE_IDS).map(([type, id]) => [id, type]),
);

/**
 * Characters of a PrintableString, which include all that names of clusters and slices may contain. Source: ITU-T
 * X.680, table 10.
 */
const PRINTABLE = /^[A-Za-z0-9 '()+,\-./:=?]*$/;

/** The attributes as Go prints them: one in each set, as PrintableString when it can represent the text. */
export function printName(attributes: readonly Attribute[]): Bytes {
  const sets = attributes.map(({ type, value }) => {
    const text = printDer(PRINTABLE.test(value) ? TAG.printableString : TAG.utf8String, utf8Bytes(value));
    const id = printDer(TAG.objectId, bytesOfHex(valueAt(ATTRIBUTE_IDS, type) ?? type));
    return printDer(TAG.set, printDer(TAG.sequence, id, text));
  });
  return printDer(TAG.sequence, ...sets);
}

/** The attributes of a name in order; `undefined` for another value. */
export function readName(name: DerValue | undefined): readonly Attribute[] | undefined {
  const attributes: Attribute[] = [];
  for (const set of partsOf(name, TAG.sequence) ?? [undefined]) {
    for (const pair of partsOf(set, TAG.set) ?? [undefined]) {
      const [id, value, ...more] = partsOf(pair, TAG.sequence) ?? [];
      const [hex, text] = [readObjectId(id), value && attributeText(value)];
      if (hex === undefined || text === undefined || more.length > 0) return undefined;
      attributes.push({ type: ATTRIBUTE_TYPES.get(hex) ?? hex, value: text });
    }
  }
  return attributes;
}

/** Types of texts; T61String and IA5String are those of old CAs. Source: RFC 5280, section 4.1.2.4. */
const TEXT_TAGS: readonly number[] = [TAG.utf8String, TAG.printableString, 0x14, 0x16];

/** The text of an attribute. For the names of cluster CAs, all text types have the same characters as UTF-8. */
function attributeText({ tag, content }: DerValue): string | undefined {
  if (!TEXT_TAGS.includes(tag)) return undefined;
  try {
    return decodeURIComponent(content.map((it) => `%${hexOf([it])}`).join(''));
  } catch {
    return undefined;
  }
}

export const valuesOf = (name: readonly Attribute[], type: string): readonly string[] =>
  name.filter((it) => it.type === type).map((it) => it.value);

/**
 * The user of a slice in its provider: CN of its certificate, and name of its Quota. The name of a slice is unique only
 * in its consumer, so a part of the consumer's hash follows it. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/authentication/csr.go.
 */
export const sliceUser = (slice: string, consumer: string): string => `${slice}-${clusterHash(consumer)}`;

/** Number of bytes of the hash in a name. */
const HASH_BYTES = 6;

/**
 * The hash that replaces a cluster's ID in a name without room for it, in hexadecimal. Source: liqotech/liqo@v1.2.0
 * pkg/liqo-controller-manager/authentication/csr.go.
 */
export const clusterHash = (cluster: string): string =>
  hexOf(bytesOf(cryptography.sha256(typed(utf8Bytes(cluster)))).slice(0, HASH_BYTES));

export const isAttribute = (found: Attribute | undefined, type: string, value: string): boolean =>
  found?.type === type && found.value === value;
