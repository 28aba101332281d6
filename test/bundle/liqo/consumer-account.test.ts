import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { compile } from '../../../src/compile.ts';

/** The kinds of the objects that a provider has for a consumer with credentials. */
function kindsWith(condition: string): readonly string[] {
  const text = `version: 1
name: europe
hub: rome
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  rome: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  milan: { podCIDR: 10.202.0.0/16 }
sharing:
  - { consumer: rome, provider: milan, auth: credentials, condition: ${condition} }
`;
  const topology = { path: 'topology.yaml', text };
  const compiled = compile({ topology, keys: undefined, lock: undefined }, { relock: [], only: null });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((it) => it.message).join('\n'));
  const [, manifests = ''] = [...compiled.value.bundle].find(([path]) => path === 'milan/sharing/rome.yaml') ?? [];
  return parseAllDocuments(manifests).map((it) => (it.toJS() as { readonly kind: string }).kind);
}

describe('the account of a consumer with credentials', () => {
  it.each(['Active', 'Cordoned'])('has its rights while it is %s', (condition) => {
    expect(kindsWith(condition)).toEqual(['ServiceAccount', 'RoleBinding', 'Tenant']);
  });

  it('has none once it is drained: Liqo deletes the binding, and a tool would give it back', () => {
    expect(kindsWith('Drained')).toEqual(['ServiceAccount', 'Tenant']);
  });
});
