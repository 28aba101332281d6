/** What stood on the command line, checked against the command table. */
export interface Given {
  /** Positional arguments, without those that were left out. */
  readonly args: readonly string[];
  /** By long name without dashes, as it stands in the table. */
  readonly options: Readonly<Record<string, unknown>>;
}

export const flag = (given: Given, name: string): boolean => given.options[name] === true;

export function text(given: Given, name: string): string | undefined {
  const value = given.options[name];
  return typeof value === 'string' ? value : undefined;
}

/** The values of an option that may be repeated; empty when it was not given. */
export function list(given: Given, name: string): readonly string[] {
  const value = given.options[name];
  return Array.isArray(value) ? value.filter((it): it is string => typeof it === 'string') : [];
}
