import { byCodeUnit } from '../../base/core/collections.ts';
/** A function that removes the secrets from a text. */
export function redactor(secrets: readonly (string | undefined)[]): (text: string) => string {
  // The longest first: one secret may be a part of another. Three characters are no secret, and they occur in words.
  const known = secrets
    .filter((it): it is string => it !== undefined && it.length > 3)
    .sort((a, b) => b.length - a.length || byCodeUnit(a, b));
  return (text) => known.reduce((it, secret) => it.replaceAll(secret, '***'), text);
}
