import { basename } from 'node:path';

/** Names that say nothing about a fleet. */
const GENERAL = ['topology', 'topologies', 'fleet'];

/** A name for a fleet that nobody has named: that of its file, or of the working folder. */
export function fleetNameOf(topology: string, folder: string): string {
  const [file, place] = [basename(topology).replace(/\.ya?ml$/, ''), basename(folder)].map(asName);
  return [file, place].find((it) => it !== undefined && it !== '' && !GENERAL.includes(it)) ?? 'fleet';
}

/** Lowercase letters, digits and dashes; 40 leave room for what names of objects add. */
const asName = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/^-+|-+$/g, '');
