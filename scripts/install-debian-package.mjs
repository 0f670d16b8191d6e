import { execFileSync } from 'node:child_process'
import { run } from './run-command.mjs'

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
