/** Where `ip netns` keeps the names of namespaces. Source: ip-netns(8). */
export const NAMESPACES = '/var/run/netns';
