// SQL steps are tested with a real MariaDB. Debian and its kin have one to install, which starts nothing by itself.
import { existsSync } from 'node:fs'
import { installDebianPackage } from './install-debian-package.mjs'

// The second one has what sets the folder of the first one up.
const packages = ['mariadb-server-core', 'mariadb-client-core']
const places = [
  '/usr/sbin/mariadbd',
  '/usr/libexec/mariadbd',
  '/usr/local/bin/mariadbd',
  '/opt/homebrew/bin/mariadbd'
]
const folders = ['/usr/bin', '/usr/local/bin', '/opt/homebrew/bin']

/** Where the server and the program that sets its folder up are, or undefined. */
export function findMariaDb() {
  const server = [process.env.MARIADBD, ...places].find((path) => path && existsSync(path))
  const tools = folders.find((folder) =>
    ['mariadb-install-db', 'my_print_defaults'].every((tool) => existsSync(`${folder}/${tool}`))
  )
  return server && tools ? { server, install: `${tools}/mariadb-install-db` } : undefined
}

/** For `installTogether`. */
export const mariaDbPackages = { names: packages, isThere: () => findMariaDb() !== undefined }

/** Installs MariaDB where that is possible without asking anybody; ends the process with the remedy elsewhere. */
export async function ensureMariaDb() {
  if (findMariaDb()) return
  await installDebianPackage(packages, 'Installing MariaDB for the tests of SQL steps…')
  if (findMariaDb()) return
  console.error('The tests of SQL steps need MariaDB, and none was found.')
  console.error(
    `Remedy: install it (Debian: apt-get install ${packages.join(' ')}), or set MARIADBD to the path of its server.`
  )
  process.exit(1)
}
