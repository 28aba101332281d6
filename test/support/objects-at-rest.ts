import { parseAllDocuments } from 'yaml';

/** An object of a cluster. */
export interface LiveItem {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly generation?: number;
  };
  readonly spec?: object;
  readonly [field: string]: unknown;
}

const OBJECTS = /^(peers|sharing|offloading|expected)\/(.*\/)?(?!kustomization)[^/]+\.yaml$/;

/** The objects of a cluster that is as compiled, of the files in its folder: what is applied, with what Liqo makes of it. */
export function objectsAtRest(files: Iterable<readonly [path: string, text: string]>): readonly LiveItem[] {
  const byKey = new Map<string, LiveItem>();
  const texts = [...files].filter(([path]) => OBJECTS.test(path));
  const isExpected = ([path]: readonly [string, string]): boolean => path.startsWith('expected/');
  for (const [, text] of [...texts.filter((it) => !isExpected(it)), ...texts.filter(isExpected)]) {
    for (const it of parseAllDocuments(text).map((one) => one.toJS() as LiveItem)) {
      const key = `${it.kind} ${it.metadata.namespace}/${it.metadata.name}`;
      byKey.set(key, merged(byKey.get(key) ?? {}, it) as LiveItem);
    }
  }
  const objects = [...byKey.values()];
  return objects.some(isShared) ? objects.map(confirmed) : objects;
}

/** Networks are shared since 1.2, which also confirms Configurations. */
const isShared = ({ metadata }: LiveItem): boolean => metadata.labels?.['ipam.liqo.io/network-shared'] === 'true';

function confirmed(it: LiveItem): LiveItem {
  if (it.kind !== 'Configuration') return it;
  const condition = { type: 'NetworkCIDRsConfigured', status: 'True', reason: 'NetworkCIDRsConfigured' };
  return {
    ...it,
    metadata: { ...it.metadata, generation: 2 },
    status: { ...(it['status'] as object), conditions: [{ ...condition, observedGeneration: 2 }] },
  };
}

function merged(under: object, over: object): object {
  const both = Object.entries(over).map(([key, value]) => {
    const below = (under as Readonly<Record<string, unknown>>)[key];
    return [key, isMap(below) && isMap(value) ? merged(below, value) : value];
  });
  return { ...under, ...Object.fromEntries(both) };
}

const isMap = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value);
