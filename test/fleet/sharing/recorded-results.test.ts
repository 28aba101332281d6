import { describe, expect, it } from 'vitest';
import { checkManifest } from '../../support/crd.ts';
import { objectsIn } from '../../support/objects-in.ts';
import { type RecordedObject, type SharingRecording, sharingRecordings } from './recordings.ts';

/** Additions of Liqo that weft does not promise, with the reason. */
const NOT_PROMISED: readonly (readonly [object: RegExp, reason: string])[] = [
  [/^Secret liqo\/authentication-keys$/, 'made at the start of a controller, and private'],
  [/^VkOptionsTemplate liqo\//, 'part of the chart'],
];

const keyOf = ({ kind, metadata: { name, namespace = '' } }: RecordedObject): string => `${kind} ${namespace}/${name}`;

/** Every object in files of a bundle. */
function recordedIn({ compiled }: SharingRecording, files: RegExp): readonly RecordedObject[] {
  const texts = [...compiled.bundle].filter(([path]) => files.test(path) && !path.endsWith('/kustomization.yaml'));
  return texts.flatMap(([, text]) => objectsIn<RecordedObject>(text));
}

/** The objects by their identity. */
function objectsBelow(recording: SharingRecording, files: RegExp): ReadonlyMap<string, RecordedObject> {
  const objects = recordedIn(recording, files);
  const found = new Map(objects.map((it) => [keyOf(it), it]));
  expect(found.size, 'no object is promised twice').toBe(objects.length);
  return found;
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The paths at which something promised is not there. Conditions are found by their type: Liqo repeats and mixes them. */
function* broken(promised: unknown, found: unknown, path: string): Iterable<string> {
  if (isMap(promised)) {
    for (const [key, it] of Object.entries(promised)) {
      yield* broken(it, isMap(found) ? found[key] : undefined, `${path}.${key}`);
    }
  } else if (Array.isArray(promised) && promised.some((it) => isMap(it) && 'status' in it)) {
    for (const it of promised as readonly Record<string, unknown>[]) {
      const same = (Array.isArray(found) ? (found as Record<string, unknown>[]) : []).filter(
        (one) => one['type'] === it['type'],
      );
      if (same.length === 0) yield `${path} has no ${String(it['type'])}`;
      for (const one of same) yield* broken(it, one, `${path}.${String(it['type'])}`);
    }
  } else if (JSON.stringify(promised) !== JSON.stringify(found)) {
    yield `${path}: promised ${JSON.stringify(promised)}, found ${JSON.stringify(found)}`;
  }
}

describe('what real reconcilers made is what weft expects', () => {
  describe.each(sharingRecordings())('$name', (recording) => {
    describe.each([...recording.after.keys()])('%s', (cluster) => {
      const after = new Map((recording.after.get(cluster) ?? []).map((it) => [keyOf(it), it]));
      const expected = () => objectsBelow(recording, new RegExp(`^${cluster}/expected/`));
      const applied = () => objectsBelow(recording, new RegExp(`^${cluster}/(sharing|offloading)/`));
      /** Networks are not recorded here: the network module was off. */
      const ofSharing = () => [...expected()].filter(([, it]) => it.kind !== 'Network');

      it('has every promised object, with every promised field', () => {
        expect(ofSharing().length).toBeGreaterThan(5);
        for (const [key, it] of ofSharing()) {
          expect([...after.keys()]).toContain(key);
          expect([...broken(it, after.get(key), key)]).toEqual([]);
        }
      });

      it('has no other object than those that are promised or applied', () => {
        const known = new Set([...expected().keys(), ...applied().keys()]);
        const others = [...after.keys()].filter((it) => !known.has(it));
        expect(others.filter((it) => !NOT_PROMISED.some(([object]) => object.test(it)))).toEqual([]);
      });

      it('has a promise about every object that Liqo changes: more than git says of it', () => {
        const changed = [...after].filter(([key, it]) => applied().has(key) && 'status' in it);
        expect(changed.map(([key]) => key).filter((it) => !expected().has(it))).toEqual([]);
      });
    });
  });
});

describe('objects of sharing and the CRDs of their release', () => {
  it.each(sharingRecordings())('$name: all are accepted', (recording) => {
    const release = recording.name.split(' v')[1] ?? '';
    const objects = recordedIn(recording, /\/(expected|sharing|offloading)\/.*\.yaml$/);
    const ofLiqo = objects.filter((it) => /\.liqo\.io\//.test(it.apiVersion));
    expect(ofLiqo.length).toBeGreaterThan(10);
    expect(ofLiqo.flatMap((it) => checkManifest(it, release))).toEqual([]);
  });
});
