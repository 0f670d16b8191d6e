import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'
import { KnownHosts, type KnownHostsOptions } from './known-hosts.ts'

const NOTHING_SAID: Omit<KnownHostsOptions, 'host'> = { publicUrl: null, allowedHosts: [] }

function asking(host: string | undefined, url = '/api/v1/flows'): IncomingMessage {
  const rawHeaders = host === undefined ? [] : ['Host', host]
  return { url, headers: { host }, rawHeaders } as unknown as IncomingMessage
}

function takes(hosts: KnownHosts, names: readonly (string | undefined)[]): (string | undefined)[] {
  return names.filter((name) => hosts.refusal(asking(name)) === undefined)
}

const OWN = [
  'localhost',
  'LocalHost:7860',
  'localhost.',
  'shop.localhost:7860',
  '127.0.0.1:7860',
  '[::1]:7860',
  '[::1]',
  '10.0.0.7',
  '',
  undefined
]
const FOREIGN = [
  'evil.example',
  'evil.example:7860',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'millrace'
]

describe('the names that the service answers to', () => {
  it('are, on a loopback address, those of the machine, and addresses in numbers', () => {
    for (const host of ['127.0.0.1', 'localhost', '::1', '127.0.0.2']) {
      assert.deepEqual(takes(new KnownHosts({ host, ...NOTHING_SAID }), [...OWN, ...FOREIGN]), OWN, host)
    }
  })

  it('are also that of the public address and those of the list, however they are written', () => {
    const hosts = new KnownHosts({
      host: '127.0.0.1',
      publicUrl: 'https://Flows.example.com:8443',
      allowedHosts: ['millrace', '*.Internal']
    })
    const named = ['flows.example.com', 'FLOWS.example.com:443', 'flows.example.com.', 'millrace:7860']
    const below = ['a.internal', 'b.a.internal:80']
    const others = ['internal', 'example.com', 'a.flows.example.com', 'evilinternal']
    assert.deepEqual(takes(hosts, [...OWN, ...named, ...below, ...others]), [...OWN, ...named, ...below])
  })

  it('are any where others reach it and nobody said which, or where all are allowed', () => {
    for (const host of ['0.0.0.0', '::', '10.0.0.7', 'millrace', null]) {
      assert.deepEqual(takes(new KnownHosts({ host, ...NOTHING_SAID }), FOREIGN), FOREIGN)
    }
    const all = new KnownHosts({ host: '127.0.0.1', publicUrl: null, allowedHosts: ['*'] })
    assert.deepEqual(takes(all, FOREIGN), FOREIGN)
  })

  it('are only those that were said as soon as some were, and its own', () => {
    const hosts = new KnownHosts({
      host: '0.0.0.0',
      publicUrl: 'https://flows.example.com',
      allowedHosts: []
    })
    assert.deepEqual(takes(hosts, ['flows.example.com', 'localhost', '10.0.0.7', ...FOREIGN]), [
      'flows.example.com',
      'localhost',
      '10.0.0.7'
    ])
  })

  it('do not matter to whoever asks for its health', () => {
    const hosts = new KnownHosts({ host: '127.0.0.1', ...NOTHING_SAID })
    for (const url of ['/livez', '/readyz', '/readyz?verbose']) {
      assert.equal(hosts.refusal(asking('pod-7', url)), undefined)
    }
    assert.equal(hosts.refusal(asking('pod-7', '/readyz/more'))?.code, 'unknown_host')
  })

  it('are told in the refusal of another, with what to do', () => {
    const hosts = new KnownHosts({ host: '127.0.0.1', ...NOTHING_SAID })
    const refusal = hosts.refusal(asking('Evil.example:80'))!
    assert.equal(refusal.status, 421)
    assert.match(
      refusal.message,
      /^Millrace does not answer to the name "evil\.example"\. .*MILLRACE_ALLOWED_HOSTS\.$/
    )
    assert.ok(hosts.refusal(asking('x'.repeat(9_000)))!.message.length < 400)
  })

  it('come one at a time', () => {
    const hosts = new KnownHosts({ host: '0.0.0.0', ...NOTHING_SAID })
    const rawHeaders = ['HOST', 'localhost', 'accept', '*/*', 'host', 'localhost']
    const refusal = hosts.refusal({ ...asking('localhost'), rawHeaders } as IncomingMessage)
    assert.deepEqual([refusal?.status, refusal?.code], [400, 'bad_request'])
  })
})
