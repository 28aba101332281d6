import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { placeAt } from '../../../src/base/source/source.ts';
import type { KubernetesObject } from '../../../src/live/dumps/kubernetes-object.ts';
import { readDump } from '../../../src/live/dumps/read-dump.ts';

const configuration = (name: string, more: object = {}) => ({
  apiVersion: 'networking.liqo.io/v1beta1',
  kind: 'Configuration',
  metadata: { name, namespace: `liqo-tenant-${name}` },
  spec: { remote: { cidr: { pod: ['10.200.0.0/16'] } } },
  ...more,
});

const list = (...items: readonly object[]) => ({ apiVersion: 'v1', items, kind: 'List', metadata: {} });
const json = (value: object) => JSON.stringify(value, null, 4);
/** The YAML of kubectl: lists are not indented. */
const yaml = (value: object) => stringify(value, { indentSeq: false, aliasDuplicateObjects: false });

function objectsOf(text: string, isWanted?: Parameters<typeof readDump>[1]): readonly KubernetesObject[] {
  const read = readDump({ path: 'rome.dump', text }, isWanted);
  if (!read.ok) throw new Error(read.diagnostics.map((it) => it.message).join('; '));
  return read.value.map((it) => it.object);
}

function problemsOf(text: string): readonly (readonly [code: string, place: string, message: string])[] {
  const read = readDump({ path: 'rome.dump', text });
  return read.diagnostics.map(({ code, span, message }) => {
    const { line, column } = placeAt(span.source, span.start);
    return [code, `${line}:${column}`, message];
  });
}

const names = (objects: readonly KubernetesObject[]) => objects.map((it) => it.metadata.name);

describe('a dump', () => {
  it.each([
    ['JSON', json(list(configuration('rome'), configuration('milan')))],
    ['JSON in one line', JSON.stringify(list(configuration('rome'), configuration('milan')))],
    ['YAML', yaml(list(configuration('rome'), configuration('milan')))],
    ['YAML with indented lists', stringify(list(configuration('rome'), configuration('milan')))],
    ['bare objects in YAML', `${yaml(configuration('rome'))}---\n${yaml(configuration('milan'))}`],
    ['bare objects in JSON', `${json(configuration('rome'))}\n${json(configuration('milan'))}`],
    ['two lists in one JSON file', `${json(list(configuration('rome')))}\n${json(list(configuration('milan')))}\n`],
    ['two lists in one YAML file', `${yaml(list(configuration('rome')))}${yaml(list(configuration('milan')))}`],
    [
      'two YAML lists with a mark',
      `---\n${yaml(list(configuration('rome')))}---\n${yaml(list(configuration('milan')))}`,
    ],
    ['lists in lists', json(list(list(configuration('rome')), list(list(configuration('milan')))))],
    ['a bare array, as jq prints it', json([configuration('rome'), configuration('milan')])],
    ['a byte order mark', `\ufeff${json(list(configuration('rome'), configuration('milan')))}`],
  ])('is read from %s', (_, text) => {
    const objects = objectsOf(text);
    expect(names(objects)).toEqual(['rome', 'milan']);
    expect(objects[0]?.['spec']).toEqual(configuration('rome').spec);
  });

  it('of a typed list has items with the kind of the list', () => {
    const { apiVersion: _, kind: __, ...item } = configuration('rome');
    const text = json({ apiVersion: 'networking.liqo.io/v1beta1', kind: 'ConfigurationList', items: [item] });
    expect(objectsOf(text)).toMatchObject([{ apiVersion: 'networking.liqo.io/v1beta1', kind: 'Configuration' }]);
  });

  it.each([json(list()), yaml(list())])('without objects is an empty list, which is no mistake', (text) => {
    expect(objectsOf(text)).toEqual([]);
  });

  it('keeps the wanted kinds only, and does not even read the others', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { note: '&not *read' } };
    const unread = yaml(list(configuration('rome'), pod)).replace('"&not *read"', '&not *read');
    expect(names(objectsOf(unread, (_, kind) => kind === 'Configuration'))).toEqual(['rome']);
    const unparsed = json(list(pod, configuration('rome'), pod)).replaceAll('"&not *read"', '&not *read');
    expect(names(objectsOf(unparsed, (_, kind) => kind === 'Configuration'))).toEqual(['rome']);
    expect(names(objectsOf(json(list(pod, configuration('rome'))), (_, kind) => kind === 'Pod'))).toEqual(['web']);
  });

  it.each([1, 2, 4, 8])(
    'has the same objects at the same places, whether it is indented by %i or not at all',
    (indent) => {
      const object = fc.record({
        apiVersion: fc.constantFrom('v1', 'networking.liqo.io/v1beta1'),
        kind: fc.constantFrom('Pod', 'Configuration', 'PodList', 'a b'),
        metadata: fc.record({ name: fc.string({ minLength: 1 }) }),
        spec: fc.jsonValue({ maxDepth: 3 }),
      });
      fc.assert(
        fc.property(fc.array(fc.array(object, { maxLength: 4 }), { minLength: 1, maxLength: 3 }), (lists) => {
          const isWanted = (_: string, kind: string) => kind !== 'Pod';
          const read = (print: (value: object) => string) => {
            const text = lists.map((it) => print(list(...it))).join('\n');
            const { diagnostics, ...rest } = readDump({ path: 'a', text }, isWanted);
            return {
              found: rest.ok ? rest.value.map((it) => it.object) : [],
              codes: diagnostics.map((it) => it.message),
            };
          };
          expect(read((it) => JSON.stringify(it, null, indent))).toEqual(read((it) => JSON.stringify(it)));
        }),
      );
    },
  );

  it('has numbers, booleans and texts that look like them, as the API server has them', () => {
    const spec = {
      port: 51840,
      on: true,
      off: 'true',
      id: '0123',
      year: '2026-01-01',
      none: null,
      text: 'a\n  b: c\n',
    };
    for (const print of [json, yaml])
      expect(objectsOf(print(configuration('rome', { spec })))[0]?.['spec']).toEqual(spec);
  });

  it('may have any text at all in any value, in YAML as in JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 5 }), (texts) => {
        const objects = texts.map((note, i) => configuration(`c${i}`, { spec: { note, [`k${note}`]: [note] } }));
        for (const print of [json, yaml]) {
          expect(objectsOf(print(list(...objects))).map((it) => it['spec'])).toEqual(objects.map((it) => it.spec));
        }
      }),
    );
  });
});

describe('a dump that is none', () => {
  it.each([
    ['', 'live/empty', '1:1', /the dump is empty/],
    [' \n\n', 'live/empty', '1:1', /the dump is empty/],
    ['NAME   AGE\nrome   3d\n', 'live/not-an-object', '1:1', /it is not a map/],
    ['{"kind": "List", "items": [', 'live/unreadable', '1:1', /never closed, so it was cut off/],
    ['{"kind": "List", "items": [}', 'live/unreadable', '1:1', /never closed/],
    ['apiVersion: v1\nitems:\n- a: 1\n- b: 1\n', 'live/not-an-object', '1:1', /was cut off/],
    ['{"kind": "List", "items": [1,]}', 'live/unreadable', '1:30', /not JSON from here on/],
    [`${json(configuration('rome'))}\nerror: lost\n`, 'live/unreadable', '18:1', /follows the end of the last object/],
    ['kind: List\nitems:\n- a: &x 1\n  b: *x\n', 'live/unreadable', '3:9', /anchor/],
    ['kind: List\nitems:\n- a: 1\n- b: [\n', 'live/unreadable', '4:7', /not YAML from here on/],
    ['{"kind": "Configuration"}', 'live/not-an-object', '1:1', /it has no apiVersion/],
    [json(list(configuration('rome'), { apiVersion: 'v1' })), 'live/not-an-object', '21:9', /it has no kind/],
    [
      json(list({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 7 } })),
      'live/not-an-object',
      '4:9',
      /metadata.name/,
    ],
    [
      yaml(configuration('rome', { metadata: { name: 'rome', labels: { a: 1 } } })),
      'live/not-an-object',
      '1:1',
      /labels/,
    ],
    [
      json({ ...list(configuration('rome')), metadata: { continue: 'eyJ' } }),
      'live/unreadable',
      '1:1',
      /one page of a/,
    ],
    [JSON.stringify({ ...list(), metadata: { continue: 'eyJ' } }), 'live/unreadable', '1:1', /one page of a/],
    [
      yaml({ ...list(configuration('rome')), metadata: { continue: 'eyJ' } }),
      'live/unreadable',
      '14:1',
      /one page of a/,
    ],
    ['{"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":[]}', 'live/not-an-object', '1:1', /a table for people/],
    ['{"kind":"Status","apiVersion":"v1","message":"forbidden"}', 'live/not-an-object', '1:1', /refused: forbidden/],
  ])('is a diagnostic with its place: %j', (text, code, place, message) => {
    expect(problemsOf(text)).toEqual([[code, place, expect.stringMatching(message)]]);
  });

  it('is cut off, whatever follows it, and whichever kinds are wanted', () => {
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: { note: 'a', list: [{}, { b: [1] }] },
    };
    const whole = json(list(pod, configuration('rome'), pod));
    const others = json(list(configuration('milan'), pod));
    for (let cut = 1; cut < whole.length; cut++) {
      for (const rest of ['', '\n', others, `\n${others}`]) {
        const { ok } = readDump({ path: 'a', text: whole.slice(0, cut) + rest }, (_, kind) => kind === 'Configuration');
        expect(ok, `cut at ${cut}, then ${rest.slice(0, 3)}`).toBe(false);
      }
    }
  });

  it('may be nested without end, or be one endless list of mistakes', () => {
    const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const text = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":${deep(100_000)}}`;
    expect(problemsOf(text)).toEqual([['live/not-an-object', '1:1', expect.stringContaining('64 levels')]]);
    expect(problemsOf(`${'[{"items":'.repeat(50_000)}`)[0]?.[0]).toBe('live/unreadable');
    expect(problemsOf(json(Array.from({ length: 1000 }, () => ({}))))).toHaveLength(20);
  });
});

describe('a dump keeps no secret', () => {
  const SECRET = 'c3VwZXItc2VjcmV0LXZhbHVl';
  const secret = (labels: Readonly<Record<string, string>>, data: Readonly<Record<string, string>>) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: 'gw-keys',
      namespace: 'liqo-tenant-milan',
      labels,
      annotations: {
        'kubectl.kubernetes.io/last-applied-configuration': `{"data":{"privateKey":"${SECRET}"}}`,
        kept: 'a',
      },
      managedFields: [{ manager: SECRET }],
    },
    data,
    stringData: data,
  });

  it.each([json, yaml])('of a Secret only its names and labels', (print) => {
    const [found] = objectsOf(print(list(secret({ a: 'b' }, { privateKey: SECRET, nonce: SECRET }))));
    expect(JSON.stringify(found)).not.toContain(SECRET);
    expect(found).toMatchObject({
      metadata: { name: 'gw-keys', labels: { a: 'b' }, annotations: { kept: 'a' } },
      data: { privateKey: null, nonce: null },
      stringData: { privateKey: null },
    });
  });

  it('except a nonce, which is public', () => {
    const [found] = objectsOf(json(secret({ 'liqo.io/nonce': 'true' }, { nonce: 'bm9uY2U=', other: SECRET })));
    expect(found?.['data']).toEqual({ nonce: 'bm9uY2U=', other: null });
    const [signed] = objectsOf(json(secret({ 'liqo.io/signed-nonce': 'true' }, { nonce: 'bm9uY2U=' })));
    expect(signed?.['data']).toEqual({ nonce: null });
  });

  it.each(['spec', 'status'])('of the access to AWS in %s.authParams only the names', (field) => {
    const params = { apiServer: 'https://a', awsConfig: { awsSecretAccessKey: SECRET, region: SECRET } };
    const object = { apiVersion: 'authentication.liqo.io/v1beta1', kind: 'Tenant', metadata: { name: 'rome' } };
    const [found] = objectsOf(json({ ...object, [field]: { authParams: params } }));
    expect(found?.[field]).toEqual({
      authParams: { apiServer: 'https://a', awsConfig: { awsSecretAccessKey: null, region: null } },
    });
  });

  it('and messages show none of its values, wherever the mistake is', () => {
    const whole = [json, yaml].map((print) => print(list(secret({}, { privateKey: SECRET, note: 'b: c' }))));
    for (const text of whole) {
      for (let cut = 1; cut < text.length; cut += 7) {
        const read = readDump({ path: 'rome.dump', text: text.slice(0, cut) });
        for (const { message, span } of read.diagnostics) {
          expect(message).not.toMatch(/c3Vw/);
          expect(span.source.text).not.toMatch(/c3Vw/);
          // The line is where it is in the dump, and as long.
          const { line, column } = placeAt(span.source, span.start);
          const here = text.slice(0, cut).split('\n')[line - 1] ?? '';
          expect(span.source.text.split('\n')[line - 1]).toHaveLength(span.source.text === '' ? 0 : here.length);
          expect(column).toBeLessThanOrEqual(here.length + 1);
        }
      }
    }
  });
});
