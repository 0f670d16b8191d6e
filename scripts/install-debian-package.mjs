import { execFileSync } from 'node:child_process'
import { run } from './run-command.mjs'

/**
 * What several need that is not there, at once: to read the lists of packages and to set up what was installed takes as long
 * for one as for all. What cannot be had so is left to whoever needs it.
 * @param {readonly { names: readonly string[], isThere: () => boolean, prepare?: () => void }[]} needs
 */
export async function installTogether(needs) {
  const missing = needs.filter(({ isThere }) => !isThere())
  if (missing.length < 2) return
  for (const { prepare } of missing) prepare?.()
  const names = missing.flatMap((need) => need.names)
  await installDebianPackage(names, `Installing ${names.join(', ')} for the tests…`)
}

/** One or several. Where that is possible without asking anybody: as root, on Debian and its kin. Elsewhere nothing happens. */
export async function installDebianPackage(names, saying) {
  if (process.getuid?.() !== 0 || !hasCommand('apt-get')) return
  console.error(saying)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const quiet = { env, stdio: ['ignore', 'ignore', 'inherit'] }
  await run('apt-get', ['update', '-qq'], quiet)
  // Settings that are there already are kept: somebody chose them.
  const options = ['-y', '-qq', '--no-install-recommends', '-o', 'Dpkg::Options::=--force-confold']
  await run('apt-get', ['install', ...options, ...[names].flat()], quiet)
}

function hasCommand(name) {
  try {
    execFileSync('which', [name], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
