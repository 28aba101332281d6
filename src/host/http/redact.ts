import { byCodeUnit } from '../../base/core/collections.ts';
/** Returns a function that masks the secrets in a text. */
export function redactor(secrets: readonly (string | undefined)[]): (text: string) => string {
  // The longest secret is replaced first, because one may be a part of another. Texts of up to three characters are
  // skipped: they are not secrets, and they occur in words.
  const known = secrets
    .filter((it): it is string => it !== undefined && it.length > 3)
    .sort((a, b) => b.length - a.length || byCodeUnit(a, b));
  return (text) => known.reduce((it, secret) => it.replaceAll(secret, '***'), text);
}
