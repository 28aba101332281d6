import { expect, it } from 'vitest';
import { parse } from 'yaml';
import type { KubernetesObject } from '../../../src/live/dumps/kubernetes-object.ts';
import type { ObservedCluster } from '../../../src/live/facts/cluster.ts';
import { gatewayInTemplates } from '../../../src/live/import/templates-of.ts';
import { fleetWith, SET, SETTINGS } from '../../support/template-settings.ts';

it.each(SETTINGS)('%s is read back from a template', (key) => {
  const files = [...fleetWith(SET[key]).bundle].filter(([path]) => /^rome\/gateway-templates\/weft-/.test(path));
  const templates = new Map(files.map(([path, text]) => [path, parse(text) as KubernetesObject]));
  expect(templates.size).toBe(1);
  expect(gatewayInTemplates({ liqoNamespace: 'liqo', templates } as unknown as ObservedCluster)).toEqual(SET[key]);
});
