import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { visibleText } from '../../../src/base/core/visible-text.ts';
import { printYaml, printYamlDocuments, type YamlValue } from '../../../src/bundle/emit/print-yaml.ts';
import { anyText } from '../../support/any-text.ts';
import { runsOf } from '../../support/drawn.ts';
import { HOSTILE } from '../../support/hostile-text.ts';
import { lineFaults } from '../../support/line-faults.ts';

const WORDS = [
  'y',
  'Y',
  'n',
  'N',
  'yes',
  'Yes',
  'no',
  'NO',
  'on',
  'On',
  'off',
  'OFF',
  'true',
  'True',
  'false',
  'FALSE',
];
const NULLS = ['null', 'Null', 'NULL', '~', ''];
const NUMBERS = [
  ...['0', '1', '-1', '+1', '007', '0x10', '0o14', '014', '1_000', '0b101', '1e3', '1E3', '1.5', '.5', '5.', '-.5e3'],
  ...[
    'e10',
    'E10',
    'e-5',
    'e+5',
    '1:30',
    '12:30:45',
    '190:20:30.15',
    '.inf',
    '-.INF',
    '.nan',
    '.NaN',
    'inf',
    'nan',
    '1.2.3',
  ],
];
const DATES = ['2024-01-01', '2001-12-14t21:59:43.10-05:00', '2026-11-21 05:30:00'];
const SYNTAX = [
  ...[
    '-',
    '?',
    ':',
    '#',
    '- a',
    'a: b',
    'a:',
    ': a',
    'a #b',
    '#a',
    ' a',
    'a ',
    '\ta',
    'a\t',
    'a\tb',
    '<<',
    '=',
    '!tag',
    '!!str 1',
  ],
  ...[
    '&a',
    '*a',
    '@x',
    '%x',
    '%YAML 1.1',
    '`',
    "'",
    '"',
    '\\',
    "it's",
    '"a"',
    'a\\nb',
    '---',
    '...',
    '--- a',
    '{a}',
    '[a]',
    'a, b',
  ],
  ...['{{ .Name }}', '|', '>', '|-', ',', '}', ']', '?a', '-a', '?nodePort', 'a/b', '/', '10.0.0.0/16', '203.0.113.10'],
];
const BREAKS = [
  ...[
    '\n',
    'a\n',
    'a\n\n',
    '\na',
    '\n\na\n',
    'a\nb',
    'a\n\nb\n',
    'a\n b',
    ' a\nb',
    'a \nb',
    'a\nb ',
    'a\n\tb',
    '\ta\nb',
    'a\n  \nb',
  ],
  ...[
    '\r',
    'a\rb',
    'a\r\nb',
    'a\u0085b',
    'a\u2028b',
    'a\u2029b\nc',
    '# a\nb',
    '---\na',
    'a\n---\nb',
    'a\n...\nb',
    '- a\n- b',
    '%a\nb',
    'a: |\n  b\n',
  ],
  ...['a\n#b\n', 'a\u0085\nb', '\n \na', 'local hs = {}\nif a then\n  return "x"\nend\n'],
];
const CHARACTERS = [
  '\0',
  '\u0007',
  '\u001b[0m',
  '\u007f',
  '\u0080',
  '\u009f',
  '\u00a0',
  '\u00a0a\nb',
  '\ufeff',
  'a\ufeffb',
  '\ufffe',
  '\uffff',
  'è',
  '日本',
  '🧵',
  'a\n🧵',
  '\u200b',
];
const LONE = ['\ud800', 'a\udc00b', '\udc00\ud800', 'x\ud83e\n'];
const LONG = ['a'.repeat(1500), `${'ab '.repeat(700)}c`, '\n'.repeat(300), '"'.repeat(600)];

/** The strings that Kubernetes can store: Unicode without lone surrogates. */
const NASTY = [...WORDS, ...NULLS, ...NUMBERS, ...DATES, ...SYNTAX, ...BREAKS, ...CHARACTERS, ...LONG];

const readings = (text: string) => (['1.2', '1.1'] as const).map((version) => parse(text, { version, merge: true }));

describe('layout', () => {
  const layout = (value: YamlValue, text: string) => expect(printYaml(value)).toBe(text);

  it('puts dashes two columns behind their key, and the first line of an item behind its dash', () => {
    layout(
      { kind: 'A', list: ['x', { a: 1, b: { c: [true, null] } }, ['y', ['z'], []], {}], none: [], empty: {} },
      [
        ...['kind: A', 'list:', '  - x', '  - a: 1', '    b:', '      c:', '        - true', '        - null'],
        ...['  - - "y"', '    - - z', '    - []', '  - {}', 'none: []', 'empty: {}', ''],
      ].join('\n'),
    );
  });

  it('leaves out undefined members and keeps the order of the others', () => {
    layout({ b: 1, a: undefined, c: { d: undefined } }, 'b: 1\nc: {}\n');
  });

  it('writes text of several lines as a block where that is safe', () => {
    layout({ a: 'x\n  y\n\nz\n', b: ['x\ny'] }, 'a: |\n  x\n    y\n\n  z\nb:\n  - |-\n    x\n    y\n');
    layout('x\ny', '|-\n  x\n  y\n');
    layout(
      { a: 'x\n\n', b: ' x\ny', c: 'x \ny', d: 'x\r\ny' },
      'a: "x\\n\\n"\nb: " x\\ny"\nc: "x \\ny"\nd: "x\\r\\ny"\n',
    );
  });

  it.each([
    ...['rome', 'networking.liqo.io/v1beta1', 'gw-keys', '10.200.0.0/16', '203.0.113.10', 'liqo.io/remote-cluster-id'],
    ...['e2e', 'nodes', 'Yesterday'],
  ])('leaves %s plain', (text) => {
    layout({ [text]: text }, `${text}: ${text}\n`);
  });

  it.each([
    'on',
    'No',
    'Y',
    'null',
    'e10',
    'E-5',
    '0x10',
    '51840-52839',
    '',
    'a b',
    '1.2',
    'true',
    '2024-01-01',
    '?nodePort',
  ])('quotes %j, as a key and as a value', (text) => {
    layout({ [text]: text }, `"${text}": "${text}"\n`);
  });

  it('escapes what is not printable', () => {
    layout('"\\\0\u0085\u2028\ufeff🧵\ud800è', '"\\"\\\\\\x00\\x85\\u2028\\ufeff\\U0001f9f5\\ud800è"\n');
  });

  it('hides nothing from a reader, and is no command in a log', () => {
    for (const text of Object.values(HOSTILE)) {
      const faults = [text, { [text]: text }, [`a\n${text}`]].flatMap((it) => lineFaults(printYaml(it)));
      // Inside of a line `::` is no command, and a manifest contains what the user wrote.
      expect(faults.filter((it) => !/^a (?:secret|workflow command)/.test(it))).toEqual([]);
    }
    for (let code = 0; code < 0x10000; code++) {
      const character = String.fromCharCode(code);
      if (character !== '\n' && visibleText(character) !== character)
        expect(printYaml(`a${character}`)).toMatch(/^"a\\.+"\n$/);
    }
  });

  it('puts --- between documents only', () => {
    expect(printYamlDocuments([{ a: 1 }, { b: 2 }])).toBe('a: 1\n---\nb: 2\n');
    expect(printYamlDocuments([])).toBe('');
  });

  it('refuses numbers that JSON does not have', () => {
    for (const value of [Number.NaN, Infinity, -Infinity]) expect(() => printYaml({ value })).toThrow(RangeError);
  });
});

describe('reads back equal', () => {
  const same = (value: YamlValue) => {
    const text = printYaml(value);
    expect(text.endsWith('\n')).toBe(true);
    expect(text.endsWith('\n\n')).toBe(false);
    expect(readings(text)).toStrictEqual([value, value]);
  };

  it.each([...NASTY, ...LONE, ...Object.values(HOSTILE)].map((text) => [text]))('%j, everywhere', (text) => {
    for (const value of [text, [text], [[text]], { [text]: text }, { a: { [text]: [{ [text]: text }] } }]) same(value);
  });

  it('numbers', () => {
    for (const value of [0, -1, 51840, 2 ** 31, -(2 ** 53), 1.5, -0.25, 1e21, 1e-7, 5e-324]) same({ value });
  });

  const nasty = fc.oneof(
    fc.constantFrom(...NASTY, ...LONE),
    fc
      .array(fc.constantFrom(...NASTY, ...LONE, ' ', '  ', '\n', '\t', 'a', ':', '#'), { maxLength: 5 })
      .map((it) => it.join('')),
    anyText({ maxLength: 12 }),
    fc.string({ unit: fc.constantFrom('a', ' ', '\n', '\t', '-', ':', '#', '\r', '\u0085', '"'), maxLength: 12 }),
  );
  const { value } = fc.letrec<{ value: YamlValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      nasty,
      fc.oneof(fc.integer(), fc.boolean(), fc.constant(null)),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(nasty, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));

  it('any value', () => {
    fc.assert(fc.property(value, same), { numRuns: runsOf(400, 100) });
  });

  it('any documents', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 4 }), (values) => {
        for (const version of ['1.1', '1.2'] as const) {
          const read = parseAllDocuments(printYamlDocuments(values), { version });
          expect([...read].map((it) => it.toJS())).toStrictEqual(values);
        }
      }),
      { numRuns: runsOf(100, 25) },
    );
  });

  it('a key named __proto__ is a key like others', () => {
    const value = JSON.parse('{"__proto__": {"a": 1}}') as YamlValue;
    expect(printYaml(value)).toBe('"__proto__":\n  a: 1\n');
  });
});

/** The first Python that has PyYAML: the first one in PATH often lacks the module that the system's has. */
const PYTHON = ['python3', '/usr/bin/python3'].find((it) => spawnSync(it, ['-c', 'import yaml']).status === 0);

const required = (present: boolean) => present || Boolean(process.env['CI']);

describe.skipIf(!required(PYTHON !== undefined))('PyYAML (skipped where python3 has no module yaml)', () => {
  it('reads every nasty string back, as key, value and item', () => {
    const value = [...NASTY, ...LONE].map((text) => ({ text, [`k${text}`]: { [text]: [text] } }));
    const script =
      'import sys, json, yaml\nsys.stdout.write(json.dumps(yaml.load(sys.stdin.buffer.read(), Loader=yaml.SafeLoader)))';
    const { stdout, stderr } = spawnSync(PYTHON ?? 'python3', ['-c', script], {
      input: printYaml(value),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toStrictEqual(value);
  });
});

/** Runs kubectl on a ConfigMap with the strings and returns the output. */
function throughKubectl(strings: readonly string[], args: (folder: string) => readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'weft-yaml-'));
  try {
    const metadata = { name: 'nasty', annotations: annotationsOf(WORDLIKE) };
    const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: dataOf(strings) };
    writeFileSync(join(folder, 'map.yaml'), printYaml(configMap));
    writeFileSync(join(folder, 'kustomization.yaml'), printYaml({ resources: ['map.yaml'] }));
    const { stdout, stderr } = spawnSync('kubectl', args(folder), { encoding: 'utf8' });
    expect(stderr).toBe('');
    return stdout;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const WORDLIKE = [...WORDS, ...NULLS, ...NUMBERS];

const annotationsOf = (strings: readonly string[]) =>
  Object.fromEntries(strings.map((text, index) => [`weft.test/a${index}`, text]));

const dataOf = (strings: readonly string[]) => Object.fromEntries(strings.map((text, index) => [`k${index}`, text]));

interface ConfigMap {
  readonly metadata: { readonly annotations: unknown };
  readonly data: unknown;
}

describe.skipIf(!required(spawnSync('kubectl', ['version', '--client']).status === 0))(
  'kubectl (skipped where kubectl is missing)',
  () => {
    it('reads every nasty string', () => {
      const args = (folder: string) => ['label', '--local', '-o', 'json', '-f', join(folder, 'map.yaml'), 'a=b'];
      const read = JSON.parse(throughKubectl(NASTY, args)) as ConfigMap;
      expect(read.data).toStrictEqual(dataOf(NASTY));
      expect(read.metadata.annotations).toStrictEqual(annotationsOf(WORDLIKE));
    });

    it('passes nasty strings through a kustomization unchanged', () => {
      // Kustomize reads these but writes them wrongly: it does not escape line breaks of YAML 1.1, and fails on the
      // others.
      const printable = NASTY.filter((text) => !/[\x7f-\x9f\u2028\u2029\ufffe\uffff]/.test(text));
      const text = throughKubectl(printable, (folder) => ['kustomize', folder]);
      const read = parse(text) as ConfigMap;
      expect(read.data).toStrictEqual(dataOf(printable));
      expect(read.metadata.annotations).toStrictEqual(annotationsOf(WORDLIKE));
    });
  },
);
