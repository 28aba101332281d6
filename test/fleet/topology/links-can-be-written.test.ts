import { describe, expect, it } from 'vitest';
import { compileText, ofCode } from '../../support/compile-text.ts';

const names = (count: number, prefix: string): readonly string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}-${i}`);

/** A fleet in which every leaf is linked to every hub. */
function mesh(hubs: number, leaves: number): string {
  const clusters = [...names(hubs, 'hub'), ...names(leaves, 'leaf')].map((it) => `  ${it}: {}\n`).join('');
  return `version: 1
name: europe
hub: [${names(hubs, 'hub').join(', ')}]
defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, gateway: 203.0.113.10 }
clusters:
${clusters}`;
}

describe('a fleet that is too large', () => {
  it('is refused with its size, before any link exists', () => {
    const [found] = ofCode(compileText(mesh(2000, 2000)), 'topology/too-many-links');
    expect(found?.message).toBe('the fleet would have 4,000,000 links, and out/ would have about 32,000,000 files');
    expect(found?.span.source.text.slice(found.span.start, found.span.end)).toBe('hub-0');
  });

  it('has more than 50,000 links', () => {
    expect(ofCode(compileText(mesh(251, 200)), 'topology/too-many-links')).toHaveLength(1);
    expect(ofCode(compileText(mesh(2, 30)), 'topology/too-many-links')).toEqual([]);
  });
});
