import { areEqual, type Bytes } from './bytes.ts';
import type { Attribute } from './distinguished-name.ts';
import { type ReadRequest, readRequest, type UnreadableRequest } from './read-request.ts';
import { requestBody, type Subject } from './request-body.ts';

interface ExpectedRequest {
  /** In PEM. */
  readonly request: string;
  readonly subject: Subject;
  /** SubjectPublicKeyInfo of the consumer's key. */
  readonly spki: Bytes;
}

/** What is wrong with a request, for words of the caller. */
export type RequestFault =
  | { readonly kind: 'unreadable'; readonly why: UnreadableRequest }
  /** Another name, or more than the two attributes: Kubernetes makes a group of every organization. */
  | { readonly kind: 'other-subject'; readonly found: readonly Attribute[] }
  | { readonly kind: 'other-key' }
  | { readonly kind: 'not-signed' }
  /** The same names in another encoding, or with requested extensions: Liqo makes other bytes. */
  | { readonly kind: 'other-bytes' };

/** The first thing that differs from the request that Liqo makes of this key for this subject; `undefined` if nothing does. */
export const checkRequest = ({ request, ...expected }: ExpectedRequest): RequestFault | undefined =>
  faultOf(readRequest(request), expected);

/** The same of a request that has been read. */
export function faultOf(
  read: ReadRequest,
  { subject, spki }: Omit<ExpectedRequest, 'request'>,
): RequestFault | undefined {
  if (read.kind === 'unreadable') return read;
  const { request: found } = read;
  const [first, second, ...more] = found.subject;
  const isFor =
    isAttribute(first, 'O', subject.organization) && isAttribute(second, 'CN', subject.commonName) && more.length === 0;
  if (!isFor) return { kind: 'other-subject', found: found.subject };
  if (!areEqual(found.publicKey.spki, spki)) return { kind: 'other-key' };
  if (!areEqual(found.body, requestBody(subject, spki))) return { kind: 'other-bytes' };
  return found.isSigned ? undefined : { kind: 'not-signed' };
}

const isAttribute = (found: Attribute | undefined, type: string, value: string): boolean =>
  found?.type === type && found.value === value;
