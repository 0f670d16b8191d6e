// `npm run check:package`: the package works as npm, pnpm and Yarn install it from the registry, on the oldest Node that it
// takes too. It takes minutes and the network, so it is no part of `npm test`; a release needs it.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { ensureInstalled, nodePackage, root } from '../install.mjs'
import { beginCheck } from '../release/tested.mjs'
import { run } from '../run-command.mjs'
import { addressOf, ask, expect, KEY, tryService } from '../try-service.mjs'
import { OLDEST_FASTIFY, OLDEST_NODE } from './package-json.mjs'

const HOST = `import Fastify from 'fastify'
import millrace from 'millrace'

const app = Fastify()
app.register(millrace, { prefix: '/flows', home: process.env.MILLRACE_HOME, apiKey: process.env.MILLRACE_API_KEY })
process.once('SIGTERM', () => app.close())
console.log('Millrace is ready at ' + (await app.listen({ host: '127.0.0.1', port: 0 })) + '/flows')
`

const passed = beginCheck(root, 'npm run check:package')
const pinned = await ensureInstalled()
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'millrace-package-'))
try {
  await command('npm', ['run', '--silent', 'package'], root, pinned)
  const tarball = join(root, 'out', `millrace-${version}.tgz`)
  const oldest = await installNode(OLDEST_NODE)
  await tryInstalled('npm', ['npm', 'install', '--omit=dev', tarball], oldest)
  await tryHost(['npm', 'install', tarball, `fastify@${OLDEST_FASTIFY}`], oldest)
  await tryInstalled('pnpm', ['npx', '--yes', 'pnpm@10', 'add', '--prod', tarball], oldest)
  // Yarn refuses what a dependency says of its Node; npm and pnpm warn. And it installs no peers.
  await tryInstalled('yarn', ['npx', '--yes', 'yarn@1', 'add', tarball, 'fastify@5', '--production'], pinned)
  passed()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function installNode(wanted) {
  const at = join(folder, 'node')
  mkdirSync(at)
  const options = ['--prefix', at, '--no-save', '--no-audit', '--no-fund']
  await command('npm', ['install', ...options, `${nodePackage()}@${wanted}`], at, pinned)
  return join(at, 'node_modules', nodePackage(), 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
}

async function tryInstalled(name, command, node) {
  const at = await install(name, command, node)
  await tryStarted(at, 'node_modules/millrace/bin/millrace.mjs', node)
}

/** Both ways on the oldest Fastify: Millrace in an application, and alone. */
async function tryHost(command, node) {
  const at = await install('fastify', command, node)
  const { version: fastify } = JSON.parse(readFileSync(join(at, 'node_modules/fastify/package.json'), 'utf8'))
  expect('the Fastify', fastify, OLDEST_FASTIFY)
  writeFileSync(join(at, 'host.mjs'), HOST)
  await tryStarted(at, 'host.mjs', node)
  await tryStarted(at, 'node_modules/millrace/bin/millrace.mjs', node)
}

async function install(name, [program, ...args], node) {
  console.log(`\n── ${name}`)
  const at = join(folder, name)
  mkdirSync(at)
  writeFileSync(join(at, 'package.json'), JSON.stringify({ name: 'app', version: '1.0.0', private: true }))
  await command(program, args, at, node)
  return at
}

async function tryStarted(at, file, node) {
  const home = mkdtempSync(join(at, 'home-'))
  const env = {
    ...environment(node),
    HOST: '127.0.0.1',
    PORT: '0',
    MILLRACE_API_KEY: KEY,
    MILLRACE_HOME: home
  }
  const service = spawn(node, [file], { cwd: at, env, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const address = await addressOf(service)
    await tryService(address)
    const { runs } = await (await ask(`${address}/api/v1/runs`)).json()
    expect('runs', runs.length, 1)
    const ended = once(service, 'exit')
    service.kill('SIGTERM')
    expect('its end', (await ended)[0], 0)
  } finally {
    service.kill('SIGKILL')
  }
}

async function command(program, args, cwd, node) {
  console.log([program, ...args].join(' '))
  const code = await run(program, args, { cwd, env: environment(node), shell: process.platform === 'win32' })
  if (code !== 0) throw new Error(`${program} ended with ${code}.`)
}

/** Of an npm that runs this nothing is left, but where its registry is. */
function environment(node) {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(?:npm_(?!config_registry)|INIT_CWD|MILLRACE_|NODE_OPTIONS)/.test(name)
  )
  return { ...Object.fromEntries(kept), PATH: [dirname(node), process.env.PATH].join(delimiter) }
}
