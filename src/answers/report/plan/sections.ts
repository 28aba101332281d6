/** The parts of a plan in the order in which they are printed. */
export const SECTIONS = [
  'Data loss',
  'Trust',
  'Assertions',
  'Clusters',
  'Links',
  'Sharing',
  'Offloading',
  'Gateways',
  'Keys',
  'Views',
  'Addresses',
  'Order',
  'Settings',
  'Files',
] as const;

export type Section = (typeof SECTIONS)[number];
