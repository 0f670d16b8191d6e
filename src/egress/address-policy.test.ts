import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import ipaddr from 'ipaddr.js'
import { type Destination, refusalOf } from './address-policy.ts'
import { readAllowRule } from './allow-list.ts'

const shop: Destination = { host: 'shop.example', port: 443 }

function verdict(
  address: string,
  allow: string[] = [],
  to = shop,
  trusted: Destination | null = null
): string {
  const refusal = refusalOf(to, [address], { allow: allow.map(readAllowRule), trusted })
  return refusal === undefined ? 'allowed' : refusal.rule
}

describe('public addresses', () => {
  for (const address of ['93.184.216.34', '8.8.8.8', '2606:2800:220:1::1', '::ffff:8.8.8.8']) {
    it(`${address} is reached`, () => assert.equal(verdict(address), 'allowed'))
  }
})

describe('all other addresses', () => {
  const rows: [address: string, rule: RegExp][] = [
    ['127.0.0.1', /this very machine/],
    ['127.8.8.8', /this very machine/],
    ['::1', /this very machine/],
    ['::ffff:127.0.0.1', /this very machine/],
    ['10.0.0.1', /private network/],
    ['172.16.0.1', /private network/],
    ['192.168.1.1', /private network/],
    ['fd00::1', /private network/],
    ['0.0.0.0', /unspecified/],
    ['::', /unspecified/],
    ['100.64.0.1', /provider/],
    ['255.255.255.255', /broadcast/],
    ['224.0.0.1', /multicast/],
    ['ff02::1', /multicast/],
    ['192.0.2.1', /range "reserved"/],
    ['198.18.0.1', /range/],
    ['240.0.0.1', /range/],
    ['64:ff9b::7f00:1', /range "rfc6052"/],
    ['2002:7f00:1::', /range "6to4"/],
    ['2001::1', /range "teredo"/],
    ['not an address', /no address/]
  ]
  for (const [address, rule] of rows) {
    it(`${address} is refused`, () => assert.match(verdict(address), rule))
  }

  it('are refused where only one of several is', () => {
    const refusal = refusalOf(shop, ['8.8.8.8', '10.0.0.1'], { allow: [], trusted: null })
    assert.equal(refusal?.address, '10.0.0.1')
  })
})

/** The registries of special addresses of IPv4 and IPv6 (IANA), with those ends of each block that lie in it. */
const SPECIAL_BLOCKS = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15',
  '198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 255.255.255.255/32',
  '::1/128 ::/128 ::ffff:0:0/112 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64 2001::/23 2001::/32',
  '2001:1::1/128 2001:1::2/128 2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48 2001:10::/28 2001:20::/28',
  '2001:30::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10 ff00::/8'
].flatMap((line) => line.split(' '))

function endsOf(block: string): string[] {
  const [base, bits] = ipaddr.parseCIDR(block)
  const first = base.toByteArray()
  const last = first.map((byte, index) => byte | (255 >> Math.min(8, Math.max(0, bits - index * 8))))
  return [first, last].map((bytes) => ipaddr.fromByteArray(bytes).toNormalizedString())
}

describe('what is public', () => {
  for (const block of SPECIAL_BLOCKS) {
    it(`holds nothing of ${block}`, () => {
      for (const address of endsOf(block)) assert.notEqual(verdict(address), 'allowed', address)
    })
  }

  it('holds no address that has one of IPv4 in it, however it is written', () => {
    for (const inner of [
      [127, 0, 0, 1],
      [10, 0, 0, 1],
      [169, 254, 169, 254],
      [8, 8, 8, 8]
    ]) {
      const [high, low] = [(inner[0]! << 8) | inner[1]!, (inner[2]! << 8) | inner[3]!]
      const [h, l] = [high.toString(16), low.toString(16)]
      const [xh, xl] = [(high ^ 0xffff).toString(16), (low ^ 0xffff).toString(16)]
      const written = [
        `::${h}:${l}`,
        `0:0:0:0:0:0:${h}:${l}`,
        `::ffff:0:${h}:${l}`,
        `64:ff9b::${h}:${l}`,
        `64:ff9b:1::${h}:${l}`,
        `2002:${h}:${l}::1`,
        `2001:0:${h}:${l}::1`,
        `2001:0:4136:e378:8000:63bf:${xh}:${xl}`
      ]
      for (const address of written) {
        assert.notEqual(verdict(address), 'allowed', address)
        // A network that is allowed does not hold the metadata address by another name.
        const wide = ['::/0', '0.0.0.0/0']
        if (inner[0] === 169) assert.match(verdict(address, wide), /metadata/, address)
        else assert.equal(verdict(address, wide), 'allowed', address)
      }
      const mapped = `::ffff:${h}:${l}`
      assert.equal(verdict(mapped), verdict(inner.join('.')), mapped)
      assert.equal(verdict(`::${inner.join('.')}`) === 'allowed', inner[0] === 8)
    }
  })

  it('is allocated: of IPv6 only 2000::/3 is', () => {
    for (const address of [
      '::2',
      '0:0:0:1::1',
      '200::1',
      '400::1',
      '1fff::1',
      '4000::1',
      '8000::1',
      'f000::1'
    ])
      assert.match(verdict(address), /not public/, address)
    for (const address of ['2001:200::1', '2400:cb00::1', '2606:4700::1111', '2a00:1450::1', '3ffe::1'])
      assert.equal(verdict(address), 'allowed', address)
  })
})

describe('what the operator allows', () => {
  it('is an address, a network or a name, with any port or one', () => {
    assert.equal(verdict('10.1.2.3', ['10.0.0.0/8']), 'allowed')
    assert.equal(verdict('::ffff:10.1.2.3', ['10.0.0.0/8']), 'allowed')
    assert.equal(verdict('10.1.2.3', ['10.1.2.3:443']), 'allowed')
    assert.match(verdict('10.1.2.3', ['10.1.2.3:444']), /private/)
    assert.equal(verdict('10.1.2.3', ['SHOP.example']), 'allowed')
    assert.equal(verdict('10.1.2.3', ['shop.example'], { host: 'Shop.Example.', port: 1 }), 'allowed')
    assert.match(verdict('10.1.2.3', ['example']), /private/)
    assert.match(verdict('fd00::1', ['10.0.0.0/8']), /private/)
  })
})

describe('link-local and metadata addresses', () => {
  const addresses = [
    '169.254.169.254',
    '169.254.1.1',
    'fe80::1',
    'fd00:ec2::254',
    '100.100.100.200',
    '168.63.129.16'
  ]
  for (const address of addresses) {
    it(`${address} is reached only where it is named itself`, () => {
      const wide = [
        '169.254.0.0/16',
        'fe80::/10',
        'fd00::/8',
        '100.64.0.0/10',
        '168.63.0.0/16',
        'shop.example'
      ]
      assert.match(verdict(address, wide), /metadata/)
      assert.match(verdict(address, [], shop, shop), /metadata/)
      assert.equal(verdict(address, [address]), 'allowed')
    })
  }
})

describe('the address of a trusted connection', () => {
  it('is its very host and port', () => {
    const trusted = { host: 'Shop.example', port: 443 }
    assert.equal(verdict('10.1.2.3', [], shop, trusted), 'allowed')
    assert.match(verdict('10.1.2.3', [], { ...shop, port: 80 }, trusted), /private/)
    assert.match(verdict('10.1.2.3', [], { ...shop, host: 'other.example' }, trusted), /private/)
  })
})
