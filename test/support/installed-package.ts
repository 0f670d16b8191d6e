import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import type { TestContext } from 'node:test'
import { promisify } from 'node:util'
import packageJson from '../../package.json' with { type: 'json' }
import { ChildService, inheritedEnvironment } from './child-service.ts'
import { cleanUp, type Lifetime } from './clean-up.ts'
import { type LockedPackages, lockWith, needsOf, placeOf } from './package-lock.ts'
import { ROOT, temporaryFolder } from './stage.ts'

const TARBALL = `millrace-${packageJson.version}.tgz`

/** An application that has Millrace and, of its own, Fastify. */
export interface App {
  readonly folder: string
  readonly packages: LockedPackages
}

/** Packs Millrace, and installs the tarball into a new folder, as npm does it for somebody who wants to run it. */
export async function installPackage(test: Lifetime): Promise<App> {
  const folder = await temporaryFolder(test)
  await execute(process.execPath, [join(ROOT, 'scripts/package/build-package.mjs'), folder], folder)
  const published = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'))
  const dependencies = {
    '@types/node': packageJson.devDependencies['@types/node'],
    fastify: packageJson.dependencies.fastify,
    millrace: `file:${TARBALL}`
  }
  const app = { name: 'app', version: '1.0.0', type: 'module', private: true, dependencies }
  const lock = lockWith(app, published, join(folder, TARBALL)) as { packages: LockedPackages }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(app))
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
  await execute('npm', ['ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund'], folder)
  return { folder, packages: lock.packages }
}

/**
 * The same as pnpm lays it out: every package alone in a folder, beside links to what it asks for and nothing else. What
 * imports more than that does not find it.
 */
export async function isolate(test: Lifetime, { folder, packages }: App): Promise<App> {
  const isolated = await temporaryFolder(test)
  // The folder that a package is in, beside what it asks for.
  const beside = (place: string) =>
    join(isolated, place === '' ? '' : join('node_modules/.pnpm', place.replaceAll('/', '+')), 'node_modules')
  const homeOf = (place: string) => join(beside(place), nameAt(place))
  for (const [place, facts] of Object.entries(packages)) {
    if (place !== '') linkFiles(join(folder, place), homeOf(place))
    for (const name of needsOf(facts)) {
      const needed = placeOf(packages, place, name)
      if (needed !== undefined) link(homeOf(needed), join(beside(place), name))
    }
  }
  linkSync(join(folder, 'package.json'), join(isolated, 'package.json'))
  return { folder: isolated, packages }
}

/** `@scope/name` of `node_modules/a/node_modules/@scope/name`. */
function nameAt(place: string): string {
  return place.split('node_modules/').at(-1)!
}

function linkFiles(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.name === 'node_modules') continue
    if (entry.isDirectory()) linkFiles(join(from, entry.name), join(to, entry.name))
    else linkSync(join(from, entry.name), join(to, entry.name))
  }
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(relative(dirname(path), target), path)
}

/** Something that somebody types in the folder of the application; what it prints can be waited for. */
export function startIn(
  test: TestContext,
  { folder }: Pick<App, 'folder'>,
  [command, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>> = {}
): ChildService {
  const child = spawn(command, args, {
    cwd: folder,
    env: environment(folder, env),
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const started = new ChildService(test, child, '')
  cleanUp(test, () => started.end('SIGKILL'))
  return started
}

export async function execute(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {}
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(command, args, { cwd, env: environment(cwd, env) })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    return assert.fail(`${command} ${args.join(' ')}: ${stdout}${stderr}${error}`)
  }
}

/** With the Node that runs the tests before the machine's own, and nothing of the npm that may have started them. */
function environment(folder: string, more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const inherited = Object.entries(inheritedEnvironment()).filter(
    ([name]) => !/^(?:npm_(?!config_(?:registry|cache)$)|INIT_CWD$)/.test(name)
  )
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter)
  // What is compiled goes with the folder.
  const own = { PATH, NODE_COMPILE_CACHE: join(folder, '.compiled'), npm_config_update_notifier: 'false' }
  return { ...Object.fromEntries(inherited), ...own, ...more }
}
