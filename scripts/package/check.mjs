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
import { OLDEST_NODE } from './package-json.mjs'

const passed = beginCheck(root, 'npm run check:package')
const pinned = await ensureInstalled()
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const folder = mkdtempSync(join(tmpdir(), 'millrace-package-'))
try {
  await command('npm', ['run', '--silent', 'package'], root, pinned)
  const tarball = join(root, 'out', `millrace-${version}.tgz`)
  const oldest = await installNode(OLDEST_NODE)
  await tryInstalled('npm', ['npm', 'install', '--omit=dev', tarball], oldest)
  await tryInstalled('pnpm', ['npx', '--yes', 'pnpm@10', 'add', '--prod', tarball], oldest)
  // Yarn refuses what a dependency says of its Node; npm and pnpm warn.
  await tryInstalled('yarn', ['npx', '--yes', 'yarn@1', 'add', tarball, '--production'], pinned)
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

async function tryInstalled(name, [program, ...args], node) {
  console.log(`\n── ${name}`)
  const at = join(folder, name)
  mkdirSync(at)
  writeFileSync(join(at, 'package.json'), JSON.stringify({ name: 'app', version: '1.0.0', private: true }))
  await command(program, args, at, node)
  const env = { ...environment(node), HOST: '127.0.0.1', PORT: '0', MILLRACE_API_KEY: KEY }
  const service = spawn(node, ['node_modules/millrace/bin/millrace.mjs'], {
    cwd: at,
    env,
    stdio: ['ignore', 'pipe', 'inherit']
  })
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
