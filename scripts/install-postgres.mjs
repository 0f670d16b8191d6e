// Backup and restore are tested with pg_dump and pg_restore and a server of their version. The server of the other
// tests comes from npm, without these tools.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { installDebianPackage } from './install-debian-package.mjs'

const packages = '/usr/lib/postgresql'
const clusterSettings = '/etc/postgresql-common/createcluster.conf'

/** Folders with a server of the system's packages and the tools to save it, newest first. */
export function findPostgres() {
  if (!existsSync(packages)) return []
  const versions = readdirSync(packages).sort((a, b) => Number(b) - Number(a))
  return versions
    .map((version) => join(packages, version, 'bin'))
    .filter((folder) => ['initdb', 'pg_dump'].every((tool) => existsSync(join(folder, tool))))
}

/** For `installTogether`. */
export const postgresPackages = {
  names: ['postgresql'],
  isThere: () => findPostgres().length > 0,
  prepare: makeNoServer
}

/** Else the package makes a database and a server of its own, which nobody asked for. */
function makeNoServer() {
  if (process.getuid?.() !== 0 || existsSync(clusterSettings)) return
  mkdirSync(dirname(clusterSettings), { recursive: true })
  writeFileSync(clusterSettings, 'create_main_cluster = false\n')
}

/** Installs Debian's PostgreSQL where that is possible without asking anybody. The test tells where it is not. */
export async function ensurePostgres() {
  if (postgresPackages.isThere()) return
  makeNoServer()
  await installDebianPackage('postgresql', 'Installing PostgreSQL for the tests of backup and restore…')
}
