export type ReservedRange = { range: string; name: string }

/** IANA's special-purpose addresses, and public-looking addresses that clouds use internally. */
export const reservedIpv4: readonly ReservedRange[] = [
  { range: '0.0.0.0/8', name: 'this network' },
  { range: '10.0.0.0/8', name: 'private use' },
  { range: '100.64.0.0/10', name: 'shared by carriers' },
  { range: '127.0.0.0/8', name: 'loopback' },
  { range: '169.254.0.0/16', name: 'link-local, cloud metadata' },
  { range: '172.16.0.0/12', name: 'private use' },
  { range: '192.0.0.0/24', name: 'protocol assignments' },
  { range: '192.0.2.0/24', name: 'documentation' },
  { range: '192.31.196.0/24', name: 'AS112' },
  { range: '192.52.193.0/24', name: 'AMT relays' },
  { range: '192.88.99.0/24', name: '6to4 relays' },
  { range: '192.168.0.0/16', name: 'private use' },
  { range: '192.175.48.0/24', name: 'AS112' },
  { range: '198.18.0.0/15', name: 'benchmarking' },
  { range: '198.51.100.0/24', name: 'documentation' },
  { range: '203.0.113.0/24', name: 'documentation' },
  { range: '224.0.0.0/4', name: 'multicast' },
  { range: '240.0.0.0/4', name: 'reserved, broadcast' },
  { range: '168.63.129.16/32', name: 'Azure’s own services' },
]

/** The only public IPv6 addresses. All others are rejected, whether they are listed below or not. */
export const globalIpv6 = '2000::/3'

/** If several ranges contain an address, the first one names it. */
export const reservedIpv6: readonly ReservedRange[] = [
  { range: '2001::/32', name: 'Teredo' },
  { range: '2001:2::/48', name: 'benchmarking' },
  { range: '2001:10::/28', name: 'ORCHID' },
  { range: '2001:20::/28', name: 'ORCHIDv2' },
  { range: '2001::/23', name: 'protocol assignments' },
  { range: '2001:db8::/32', name: 'documentation' },
  { range: '2002::/16', name: '6to4' },
  { range: '2620:4f:8000::/48', name: 'AS112' },
  { range: '3fff::/20', name: 'documentation' },
  { range: '::/128', name: 'unspecified' },
  { range: '::1/128', name: 'loopback' },
  { range: '::ffff:0:0/96', name: 'IPv4-mapped' },
  { range: '::ffff:0:0:0/96', name: 'IPv4-translated' },
  { range: '::/96', name: 'IPv4-compatible' },
  { range: '64:ff9b::/96', name: 'NAT64' },
  { range: '64:ff9b:1::/48', name: 'local NAT64' },
  { range: '100::/64', name: 'discard' },
  { range: '100:0:0:1::/64', name: 'dummy' },
  { range: '5f00::/16', name: 'segment routing' },
  { range: 'fc00::/7', name: 'unique local, cloud metadata' },
  { range: 'fe80::/10', name: 'link-local' },
  { range: 'fec0::/10', name: 'site-local' },
  { range: 'ff00::/8', name: 'multicast' },
]
