import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Source } from '../../../src/base/source/source.ts';
import { parseInput } from '../../../src/reach/translate/parse-input.ts';
import { checker } from '../../support/check-diagnostics.ts';

const parsed = (text: string) => {
  const outcome = parseInput({ path: 'stdin', text });
  if (!outcome.ok) throw new Error(outcome.diagnostics.map((it) => it.message).join('; '));
  return outcome.value;
};

const numbers = (text: string): readonly number[] => {
  const input = parsed(text);
  return input.kind === 'addresses' ? input.addresses.map((it) => it.value) : [];
};

const slice = (name: string, addresses: string) =>
  `kind: EndpointSlice\nmetadata: { name: ${name} }\naddressType: IPv4\nendpoints:\n  - addresses: ${addresses}\n`;

describe('bare addresses', () => {
  it.each([
    ['one a line', '10.0.0.1\n10.0.0.2\n'],
    ['blanks, tabs and commas', '10.0.0.1,\t10.0.0.2'],
    ['line ends of Windows and a byte order mark', '\ufeff10.0.0.1\r\n10.0.0.2\r\n'],
    ['comments', '# the pods\n10.0.0.1 # first\n\n10.0.0.2'],
  ])('may stand with %s', (_, text) => {
    expect(numbers(text)).toEqual([0x0a000001, 0x0a000002]);
  });
});

describe('slices', () => {
  const names = (text: string) => {
    const input = parsed(text);
    return input.kind === 'slices'
      ? input.slices.map((it) => [it.name, it.endpoints.flatMap((one) => one.addresses.map((a) => a.value))])
      : [];
  };
  const json = (name: string, address: string) =>
    JSON.stringify({
      kind: 'EndpointSlice',
      metadata: { name },
      addressType: 'IPv4',
      endpoints: [{ addresses: [address] }],
    });

  it.each([
    ['one', slice('a', '[10.0.0.1]'), [['a', [0x0a000001]]]],
    [
      'several documents',
      `${slice('a', '[10.0.0.1]')}---\n${slice('b', '["10.0.0.2", 10.0.0.3]')}`,
      [
        ['a', [0x0a000001]],
        ['b', [0x0a000002, 0x0a000003]],
      ],
    ],
    ['JSON', json('a', '10.0.0.1'), [['a', [0x0a000001]]]],
    [
      'JSON, one per line',
      `${json('a', '10.0.0.1')}\n${json('b', '10.0.0.2')}\n`,
      [
        ['a', [0x0a000001]],
        ['b', [0x0a000002]],
      ],
    ],
    ['a list', `{"kind": "List", "items": [${json('a', '10.0.0.1')}]}`, [['a', [0x0a000001]]]],
    [
      'lists of lists',
      `{"kind": "List", "items": [{"kind": "EndpointSliceList", "items": [${json('a', '10.0.0.1')}]}]}`,
      [['a', [0x0a000001]]],
    ],
    [
      'a slice without endpoints',
      'kind: EndpointSlice\nmetadata: { name: a }\naddressType: IPv4\nendpoints: null\n',
      [['a', []]],
    ],
  ])('may be %s', (_, text, expected) => {
    expect(names(text)).toEqual(expected);
  });

  it('keep the fields of the hub', () => {
    const input = parsed(`${slice('a', '[10.0.0.1]')}    hostname: web-0\nports: [{ port: 80 }]\n`);
    expect(input).toMatchObject({
      slices: [{ namespace: null, ports: [{ port: 80 }], endpoints: [{ plain: { hostname: 'web-0' } }] }],
    });
  });
});

const check = checker((source: Source) => parseInput(source).diagnostics);

describe('what cannot be translated', () => {
  check('nothing', '', { code: 'translate/empty', message: 'stdin contains no addresses' });
  check('comments only', '# none\n\n', { code: 'translate/empty' });
  check('empty documents', '---\n---\n', { code: 'translate/empty' });
  check('an empty list', '«kind: List\nitems: []»\n', { code: 'translate/empty', message: /no EndpointSlices$/ });
  check('an empty list in JSON', '{"kind": "List"}', { code: 'translate/empty' });
  check('a word', '10.0.0.1 «web-0»\n', {
    code: 'translate/not-an-address',
    message: '"web-0" is not an IPv4 address',
    hint: null,
  });
  check('a network', '«10.0.0.0/16»', { code: 'translate/not-an-address', hint: /prefix length/ });
  check('an octet that is too large', '«10.0.0.256»', { code: 'translate/not-an-address' });
  check('an IPv6 address', '10.0.0.1 «fd00::17»', { code: 'translate/ipv6' });
  check('an address of an endpoint that is a number', slice('a', '[«10.63»]'), { code: 'translate/not-an-address' });
  check('an address of an endpoint that is a map', slice('a', '[«{ ip: 10.0.0.1 }»]'), {
    code: 'translate/not-an-address',
  });
  check('an IPv6 address in an IPv4 slice', slice('a', '["10.0.0.1", «"fd00::1"»]'), { code: 'translate/ipv6' });
  check(
    'an IPv6 slice',
    `${slice('b', '[10.0.0.1]')}---\nkind: EndpointSlice\nmetadata: { name: a }\naddressType: «IPv6»\nendpoints: [{ addresses: ["fd00::1"] }]\n`,
    {
      code: 'translate/ipv6',
    },
  );
  check(
    'names',
    `${slice('b', '[10.0.0.1]')}---\nkind: EndpointSlice\nmetadata: { name: a }\naddressType: «FQDN»\nendpoints: [{ addresses: [web.example] }]\n`,
    {
      code: 'translate/hostname',
    },
  );
  check('another addressType', 'kind: EndpointSlice\nmetadata: { name: a }\naddressType: «IPX»\n', {
    code: 'translate/not-a-slice',
  });
  check('another kind', 'kind: «Endpoints»\nmetadata: { name: a }\n', {
    code: 'translate/not-a-slice',
    message: /"Endpoints"/,
  });
  check('another kind in a list', '{"kind": "List", "items": [{"kind": «"Service"»}]}', {
    code: 'translate/not-a-slice',
  });
  check('an object without a kind', '«metadata»: { name: a }\n', { code: 'translate/not-a-slice' });
  check('a slice without a name', 'kind: «EndpointSlice»\naddressType: IPv4\n', {
    code: 'translate/not-a-slice',
    message: /metadata.name/,
  });
  check('items that are no list', 'kind: List\nitems: «7»\n', { code: 'translate/not-a-slice' });
  check('an item that is no object', 'kind: List\nitems: [«7»]\n', { code: 'translate/not-a-slice' });
  check('endpoints that are no list', 'kind: EndpointSlice\nmetadata: { name: a }\nendpoints: «7»\n', {
    code: 'translate/not-a-slice',
  });
  check(
    'an endpoint without addresses',
    'kind: EndpointSlice\nmetadata: { name: a }\nendpoints: [«{ hostname: x }»]\n',
    {
      code: 'translate/not-a-slice',
    },
  );
  check('a list at the top', '«- 10.0.0.1»\n', { code: 'source/not-a-map' });
  check('broken YAML', 'kind: EndpointSlice\nmetadata: «{» name: a\n', { code: 'source/yaml-syntax' });
  check('broken YAML in a later document', `${slice('a', '[10.0.0.1]')}---\nkind: «[»x\n`, {
    code: 'source/yaml-syntax',
  });
});

describe('any text', () => {
  const piece = fc.constantFrom(
    'kind: EndpointSlice\n',
    'kind: List\n',
    'items:\n',
    '- ',
    '---\n',
    '{',
    '}',
    '[',
    ']',
    '"',
    '10.0.0.1',
    ':',
    ' ',
    '\n',
    'endpoints:',
    'addresses: [10.0.0.1]',
    'metadata: {name: a}\n',
    '#',
    '\\',
    '*a',
    '&a',
    '\ufeff',
    '\t',
  );

  it('is read, or reported with the place of each mistake', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece, { maxLength: 14 }).map((it) => it.join('')),
        ),
        (text) => {
          const outcome = parseInput({ path: 'stdin', text });
          if (outcome.ok)
            expect(outcome.value.kind === 'addresses' ? outcome.value.addresses : outcome.value.slices).not.toEqual([]);
          else expect(outcome.diagnostics.length).toBeGreaterThan(0);
          for (const { span } of outcome.diagnostics) {
            expect(span.source.text).toBe(text);
            expect(span.start >= 0 && span.start <= span.end && span.end <= text.length).toBe(true);
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});
