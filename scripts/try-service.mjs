import { once } from 'node:events'

export const KEY = 'a key for this check only'

const READY = /^Millrace is ready at (\S+)$/m

/** Where a service that was just started answers; its output has to be a pipe. */
export async function addressOf(service) {
  let printed = ''
  const ended = once(service, 'exit')
  for await (const chunk of service.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    printed += chunk
    const [, address] = READY.exec(printed) ?? []
    if (address === undefined) continue
    service.stdout.resume()
    return address
  }
  throw new Error(`It ended with ${(await ended)[0]} and was never ready:\n${printed}`)
}

/** The page is there, and a webhook is taken. */
export async function tryService(address) {
  expect('the page', await statusOf(`${address}/`), 200)
  expect('a webhook', await statusOf(`${address}/api/v1/webhook/orders`, { method: 'POST', body: '{}' }), 202)
}

export function expect(what, actual, expected) {
  if (actual !== expected) throw new Error(`${what} gives ${actual}, and should give ${expected}.`)
  console.log(`✔ ${what}: ${actual}`)
}

export async function ask(address, options = {}) {
  return fetch(address, { ...options, headers: { 'x-api-key': KEY, 'content-type': 'application/json' } })
}

async function statusOf(address, options) {
  return (await ask(address, options)).status
}
