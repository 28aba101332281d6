import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { goText, yamlScalar } from '../../../src/bundle/liqo/gateway-settings.ts';
import { anyText } from '../../support/any-text.ts';
import { renderGatewayTemplate, type TemplateData } from './render-gateway-template.ts';

const NASTY = [
  '',
  'on',
  'no',
  '0x10',
  '1_000',
  '~',
  'null',
  '2024-01-01',
  '42',
  ' x ',
  'a\nb',
  'a: b #c',
  '\u0085\u2028\ufeff',
  '{{{{ x }}',
  '"\\',
];
const DATA: TemplateData = {
  Name: '',
  Namespace: '',
  ClusterID: '',
  GatewayUID: '',
  SecretName: '',
  Spec: { MTU: 0, SecretRef: { Name: '' }, Endpoint: {} },
};

const TEXTS = fc.oneof(anyText(), fc.string({ unit: fc.constantFrom('{', '}', '"', ' ', 'a') }));

describe('yamlScalar', () => {
  it.each(NASTY)('reads back equal in YAML 1.1 and 1.2: %j', (text) => {
    for (const version of ['1.1', '1.2'] as const)
      expect(parse(`key: ${yamlScalar(text)}`, { version })).toEqual({ key: text });
  });

  it('keeps every text on one line of printable characters', () => {
    fc.assert(
      fc.property(TEXTS, (text) => {
        expect(yamlScalar(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\ufeff]/u);
        expect(parse(yamlScalar(text))).toBe(text);
      }),
      { numRuns: 300 },
    );
  });
});

describe('goText', () => {
  it('is printed by a Go template as the text it was', () => {
    fc.assert(
      fc.property(TEXTS, (text) => {
        expect(renderGatewayTemplate({ annotations: { key: goText(text) } }, DATA)).toEqual({
          annotations: { key: text },
        });
      }),
      { numRuns: 300 },
    );
  });
});
