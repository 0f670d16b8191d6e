import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
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
