import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { run } from '../run-command.mjs'
import { addressOf, expect, KEY, tryService } from '../try-service.mjs'
import { execForm, textsOf } from './dockerfile.mjs'

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
    const address = await addressOf(service)
    expect('its health', await health(), 0)
    await tryService(address)
    const ended = once(service, 'exit')
    service.kill(textsOf(instructions, 'STOPSIGNAL')[0])
    expect('its end', (await ended)[0], 0)
    expect('its health after the end', await health(), 1)
  } finally {
    service.kill('SIGKILL')
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
