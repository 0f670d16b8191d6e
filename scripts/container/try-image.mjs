import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { run } from '../run-command.mjs'
import { execForm, textsOf } from './dockerfile.mjs'

const KEY = 'a key for this check only'
const READY = 'Millrace is ready at '

/** Starts the command of an image that was built, and fails where it is not what an image has to be. */
export async function tryImage(instructions, { cwd, env }) {
  const words = ['ENTRYPOINT', 'CMD'].flatMap((name) => execForm(textsOf(instructions, name)[0]))
  // Asked from this machine alone.
  const own = { ...env, HOST: '127.0.0.1', PORT: String(await freePort()), MILLRACE_API_KEY: KEY }
  const health = () => {
    const [program, ...args] = execForm(textsOf(instructions, 'HEALTHCHECK')[0])
    return run(program, args, { cwd, env: own })
  }
  console.log(words.join(' '))
  const service = spawn(words[0], words.slice(1), { cwd, env: own, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    await isReady(service)
    expect('its health', await health(), 0)
    expect('the page', await statusOf(`${addressOf(own)}/`), 200)
    expect(
      'a webhook',
      await statusOf(`${addressOf(own)}/api/v1/webhook/orders`, { method: 'POST', body: '{}' }),
      202
    )
    const ended = once(service, 'exit')
    service.kill(textsOf(instructions, 'STOPSIGNAL')[0])
    expect('its end', (await ended)[0], 0)
    expect('its health after the end', await health(), 1)
  } finally {
    service.kill('SIGKILL')
  }
}

function addressOf({ PORT }) {
  return `http://127.0.0.1:${PORT}`
}

async function isReady(service) {
  let printed = ''
  const ended = once(service, 'exit')
  for await (const chunk of service.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    printed += chunk
    if (printed.includes(READY)) return service.stdout.resume()
  }
  throw new Error(`It ended with ${(await ended)[0]} and was never ready:\n${printed}`)
}

async function statusOf(address, options = {}) {
  const answer = await fetch(address, {
    ...options,
    headers: { 'x-api-key': KEY, 'content-type': 'application/json' }
  })
  return answer.status
}

function expect(what, actual, expected) {
  if (actual !== expected) throw new Error(`${what} gives ${actual}, and should give ${expected}.`)
  console.log(`✔ ${what}: ${actual}`)
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
