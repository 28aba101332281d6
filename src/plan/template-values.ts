import { byCodeUnit, groupBy } from '../base/core/collections.ts';
import { TEMPLATE_SETTINGS } from '../base/releases/gateways.ts';
import type { ValueChange } from './difference.ts';
import { type ManifestLines, readManifestLines } from './read-manifest-lines.ts';

/**
 * The differences between two texts of a gateway template, those about the placement of its pods first. Images are left
 * out, because they are a change of their own. For a new or removed template, only the placement: the rest is the
 * chart's, or follows from other settings.
 */
export function templateValues(was: string | null, is: string | null): readonly ValueChange[] {
  const [before, after] = [valuesOf(was ?? ''), valuesOf(is ?? '')];
  const isEdited = was !== null && is !== null;
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(
    (it) => isEdited || rankOf(it) < PLACEMENT.length,
  );
  return names
    .sort((a, b) => rankOf(a) - rankOf(b) || byCodeUnit(a, b))
    .map((what) => ({ what, from: before.get(what) ?? null, to: after.get(what) ?? null }))
    .filter(({ what, from, to }) => from !== to && (isEdited || what !== 'replicas' || (from ?? to) !== '1'));
}

/** Settings of pods, by the field that has them. */
const PLACEMENT = Object.entries(TEMPLATE_SETTINGS).flatMap(([key, of]) => (of === 'pods' ? [key] : []));

function rankOf(what: string): number {
  const found = PLACEMENT.findIndex((it) => what === it || what.startsWith(`${it} `));
  return found === -1 ? PLACEMENT.length : found;
}

const DEPLOYMENT = 'spec.template.spec.deployment.spec.';
const POD = `${DEPLOYMENT}template.spec.`;

/** Values by short names, which do not depend on positions in lists. Equal values of several places are one value. */
function valuesOf(text: string): ReadonlyMap<string, string> {
  const [lines = new Map<string, string>()] = readManifestLines(text);
  const values = new Map<string, string[]>();
  const add = (what: string, value: string): void => {
    const known = values.get(what) ?? [];
    if (!known.includes(value)) values.set(what, [...known, value]);
  };
  for (const [path, value] of lines) {
    if (path.endsWith('.image') || path.startsWith(TOLERATIONS)) continue;
    const [what, shown] = namedValue(lines, path, value);
    add(what, shown);
  }
  for (const it of tolerationsIn(lines)) add('tolerations', it);
  return new Map([...values].map(([what, all]) => [what, all.join(', ')]));
}

const TOLERATIONS = `${POD}tolerations.`;

/** Tolerations as text, such as `key=dedicated operator=Exists`; an empty one, which tolerates everything, is `{}`. */
function tolerationsIn(lines: ManifestLines): readonly string[] {
  const fields = [...lines].filter(([path]) => path.startsWith(TOLERATIONS));
  const entries = groupBy(fields, ([path]) => [path.slice(TOLERATIONS.length).replace(/\..*$/, '')]);
  return [...entries.values()].map((entry) =>
    entry.map(([path, value]) => [...path.slice(TOLERATIONS.length).split('.').slice(1), value].join('=')).join(' '),
  );
}

function namedValue(lines: ManifestLines, path: string, value: string): readonly [what: string, value: string] {
  if (path === `${DEPLOYMENT}replicas`) return ['replicas', value];
  const [, text, key] = /\.(label|annotation)s\.(.*)$/.exec(path) ?? [];
  if (text !== undefined && key !== undefined) return [`${text} ${key}`, value];
  if (!path.startsWith(POD)) return [path, value];
  const inPod = path.slice(POD.length);
  if (inPod.startsWith('nodeSelector.')) return [inPod.replace('.', ' '), value];
  const [, number, field = ''] = /^containers\.(\d+)\.(.*)$/.exec(inPod) ?? [];
  if (number === undefined) return [inPod, value];
  const container = lines.get(`${POD}containers.${number}.name`) ?? number;
  if (!/^args\.\d+$/.test(field)) return [`${container} ${field}`, value];
  const [flag = value, ...rest] = value.split('=');
  return [`${container} ${flag}`, rest.join('=')];
}
