import { expect, it } from 'vitest';
import { isRenewed } from '../../../src/fleet/sharing/shared-model.ts';
import { compiledText } from '../../support/compile-text.ts';

it.each([
  ['1.2.0', '1.2.0', 'handshake', true],
  ['1.1.2', '1.2.0', 'handshake', false],
  ['1.2.0', '1.1.2', 'handshake', false],
  ['1.1.2', '1.1.2', 'handshake', false],
  ['1.2.0', '1.2.0', 'credentials', false],
])(
  'a consumer on %s of a provider on %s with %s: its certificate is renewed: %s',
  (consumer, provider, auth, renewed) => {
    const { model } = compiledText(`version: 1
name: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  milan: { podCIDR: 10.203.0.0/16, gateway: 203.0.113.30, liqo: { version: "${provider}" } }
  rome: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.20, liqo: { version: "${consumer}" } }
peerings: [[rome, milan]]
sharing: [{ consumer: rome, provider: milan, auth: ${auth} }]
`);
    expect(model.shares.map(isRenewed)).toEqual([renewed]);
  },
);
