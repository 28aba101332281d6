/** The same entries in order of key (code units): where order means nothing, the topology's must not show. */
export function sortedRecord(record: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
