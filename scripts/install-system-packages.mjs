// What tests need besides the packages of npm: a browser, PostgreSQL with its tools, and MariaDB.
import { fileURLToPath } from 'node:url'
import { browserPackages, ensureBrowser } from './install-browser.mjs'
import { installTogether } from './install-debian-package.mjs'
import { ensureMariaDb, mariaDbPackages } from './install-mariadb.mjs'
import { ensurePostgres, postgresPackages } from './install-postgres.mjs'
import { run } from './run-command.mjs'

const thisFile = fileURLToPath(import.meta.url)
const needs = [browserPackages, postgresPackages, mariaDbPackages]

/**
 * Returns 0, or the code of the process that could not install what is not there. In a process of its own, because what
 * needs none of it goes on meanwhile.
 */
export async function installSystemPackages(start = run) {
  return needs.every(({ isThere }) => isThere()) ? 0 : start(process.execPath, [thisFile])
}

/** One after the other: the system's package manager lets in nobody while it is at work. */
async function installAll() {
  await installTogether(needs)
  await ensureBrowser()
  await ensurePostgres()
  await ensureMariaDb()
}

if (process.argv[1] === thisFile) await installAll()
