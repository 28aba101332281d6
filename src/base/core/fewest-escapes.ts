/**
 * A YAML scalar in double quotes, as it is, or in single quotes if nothing but double quotes is escaped in it. Prettier chooses the
 * same.
 */
export function withFewestEscapes(quoted: string): string {
  const inside = quoted.slice(1, -1);
  if (!inside.includes('\\"') || /\\(?!")/.test(inside)) return quoted;
  return `'${inside.replaceAll('\\"', '"').replaceAll("'", "''")}'`;
}
