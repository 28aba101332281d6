import type { Change } from './lab-steps-support.ts';

type Edit = readonly [from: string, to: string];

/** A fleet, with what each change edits in it. */
interface Fleet {
  readonly name: string;
  readonly text: string;
  readonly pods: Edit;
  readonly hub: Edit;
  readonly mtu: Edit;
  readonly port: Edit;
  readonly rotated: NonNullable<Change['rotated']>;
}

const HEAD = `version: 1
name: fleet
liqo: { version: "1.2" }
`;

const FLEETS: readonly Fleet[] = [
  {
    name: 'own networks, a hub of a hub',
    text: `${HEAD}hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.10.0/24] }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  asia: { podCIDR: 10.210.0.0/16, gateway: 203.0.113.20, hub: europe }
  rome: { podCIDR: 10.202.0.0/16 }
  milan: { podCIDR: 10.203.0.0/16 }
`,
    pods: ['10.203.0.0/16', '10.220.0.0/16'],
    hub: ['10.202.0.0/16 }', '10.202.0.0/16, hub: asia }'],
    mtu: ['gateway: 203.0.113.10 }', 'gateway: { addresses: [203.0.113.10], mtu: 1300 } }'],
    port: ['gateway: 203.0.113.10 }', 'gateway: { addresses: [203.0.113.10], ports: 52000-52100 } }'],
    rotated: [
      ['europe', 'milan'],
      ['milan', 'europe'],
    ],
  },
  {
    name: 'one pod CIDR everywhere',
    text: `${HEAD}hub: north
defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  north: { gateway: 203.0.113.1 }
  south: { gateway: 203.0.113.2 }
  rome: {}
  milan: {}
`,
    pods: ['milan: {}', 'milan: { podCIDR: 10.220.0.0/16 }'],
    hub: ['rome: {}', 'rome: { hub: south }'],
    mtu: ['203.0.113.1 }', '{ addresses: [203.0.113.1], mtu: 1300 } }'],
    port: ['203.0.113.1 }', '{ addresses: [203.0.113.1], ports: 52000-52100 } }'],
    rotated: [
      ['north', 'rome'],
      ['rome', 'north'],
    ],
  },
  {
    name: 'one pod CIDR and one external CIDR everywhere',
    text: `${HEAD}hub: north
defaults: { podCIDR: 10.200.0.0/16, serviceCIDR: 10.96.0.0/12, reserved: [192.168.0.0/24] }
clusters:
  # The new network of rome gets another address here, as the old one has.
  north: { gateway: 203.0.113.1, reserved: [192.168.0.0/24, 10.220.0.0/16] }
  south: { gateway: 203.0.113.2 }
  rome: {}
`,
    pods: ['rome: {}', 'rome: { podCIDR: 10.220.0.0/16 }'],
    hub: ['rome: {}', 'rome: { hub: south }'],
    mtu: ['203.0.113.1,', '{ addresses: [203.0.113.1], mtu: 1300 },'],
    port: ['203.0.113.1,', '{ addresses: [203.0.113.1], ports: 52000-52100 },'],
    rotated: [
      ['north', 'rome'],
      ['rome', 'north'],
    ],
  },
  {
    name: 'two hubs with shortcuts',
    text: `${HEAD}hub: [north, south]
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  north: { podCIDR: 10.1.0.0/16, gateway: 203.0.113.1 }
  south: { podCIDR: 10.2.0.0/16, gateway: 203.0.113.2 }
  east: { podCIDR: 10.6.0.0/16, gateway: 203.0.113.6, hub: [] }
  rome: { podCIDR: 10.3.0.0/16, gateway: 203.0.113.3, hub: north }
  milan: { podCIDR: 10.3.0.0/16, hub: north }
shortcuts:
  - [rome, milan]
peerings:
  - [east, north]
`,
    pods: ['milan: { podCIDR: 10.3.0.0/16', 'milan: { podCIDR: 10.9.0.0/16'],
    hub: ['10.3.0.0/16, hub: north }', '10.3.0.0/16, hub: [north, south] }'],
    mtu: ['203.0.113.3,', '{ addresses: [203.0.113.3], mtu: 1300 },'],
    port: ['203.0.113.3,', '{ addresses: [203.0.113.3], ports: 52000-52100 },'],
    rotated: [
      ['rome', 'milan'],
      ['milan', 'rome'],
    ],
  },
  {
    name: 'peerings, by names in DNS',
    text: `${HEAD}defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  rome: { podCIDR: 10.1.0.0/16, gateway: rome.example.com }
  milan: { podCIDR: 10.2.0.0/16, gateway: milan.example.com }
  turin: { podCIDR: 10.1.0.0/16 }
peerings:
  - [rome, milan]
  - [turin, milan]
`,
    pods: ['turin: { podCIDR: 10.1.0.0/16', 'turin: { podCIDR: 10.9.0.0/16'],
    hub: ['[turin, milan]', '[turin, rome]'],
    mtu: ['milan.example.com', '{ addresses: [milan.example.com], mtu: 1300 }'],
    port: ['milan.example.com', '{ addresses: [milan.example.com], ports: 52000-52100 }'],
    rotated: [
      ['milan', 'turin'],
      ['turin', 'milan'],
    ],
  },
  {
    name: 'load balancers, one key of a link',
    text: `${HEAD}hub: north
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  north: { podCIDR: 10.1.0.0/16, gateway: { addresses: [203.0.113.1], service: LoadBalancer } }
  south: { podCIDR: 10.1.0.0/16, gateway: { addresses: [203.0.113.2], service: LoadBalancer } }
  rome: { podCIDR: 10.3.0.0/16 }
`,
    pods: ['rome: { podCIDR: 10.3.0.0/16', 'rome: { podCIDR: 10.9.0.0/16'],
    hub: ['10.3.0.0/16 }', '10.3.0.0/16, hub: [south] }'],
    mtu: ['[203.0.113.1],', '[203.0.113.1], mtu: 1300,'],
    port: ['[203.0.113.1],', '[203.0.113.1], ports: 52000-52100,'],
    rotated: [['rome', 'north']],
  },
];

const SEQUENCES = ['mtu', 'rotation', 'pods', 'hub', 'port'] as const;

/** Every change of every fleet: keys, the network of pods, another hub or peering, MTU, and port. */
export const CHANGES: readonly (Change & { readonly fleet: string; readonly what: (typeof SEQUENCES)[number] })[] =
  FLEETS.flatMap((it) =>
    SEQUENCES.map((what) => {
      const { text: before, name: fleet } = it;
      if (what === 'rotation') return { fleet, what, before, after: before, rotated: it.rotated };
      const [from, to] = it[what];
      if (before.split(from).length !== 2) throw new Error(`${fleet}: ${from} is not there once`);
      return { fleet, what, before, after: before.replace(from, () => to) };
    }),
  );

/** Both keys of a link, one after the other. */
export function rotation(): Change {
  const found = CHANGES.find((it) => it.what === 'rotation');
  if (found === undefined) throw new Error('no rotation');
  return found;
}
