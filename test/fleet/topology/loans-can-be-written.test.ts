import { describe, expect, it } from 'vitest';
import { compileText, ofCode } from '../../support/compile-text.ts';

/** A fleet of so many clusters of which every one lends to every one. */
function mesh(clusters: number): string {
  const lines = Array.from(
    { length: clusters },
    (_, i) => `  c-${i}: { podCIDR: 10.${i % 250}.0.0/16, serviceCIDR: 172.16.0.0/16, hub: [] }`,
  );
  return `version: 1\nname: mesh\nclusters:\n${lines.join('\n')}\nsharing:\n  - { consumer: c-0, provider: c-1 }\n  - { consumer: {}, provider: {} }\n`;
}

describe('a fleet with more loans than can be written', () => {
  it('is refused before they exist', () => {
    const found = ofCode(compileText(mesh(224)), 'topology/too-many-loans');
    expect(found.map((it) => [it.code, it.message])).toEqual([
      ['topology/too-many-loans', '`sharing` up to here selects 50177 pairs of clusters'],
    ]);
  });
});
