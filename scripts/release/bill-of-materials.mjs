import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const OPTIONS = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only']

/**
 * What the package is made of and brings along, the parts of the page included, as the lockfile has it: CycloneDX, as text.
 * npm is shown a lockfile without the tools: told to leave them out itself, it also leaves out what a tool happens to use.
 */
export async function billOfMaterials(root) {
  const { devDependencies: _tools, ...own } = readJson(root, 'package.json')
  const folder = mkdtempSync(join(tmpdir(), 'millrace-bill-'))
  try {
    writeFileSync(join(folder, 'package.json'), JSON.stringify(own))
    writeFileSync(
      join(folder, 'package-lock.json'),
      JSON.stringify(withoutTools(readJson(root, 'package-lock.json')))
    )
    const options = { cwd: folder, maxBuffer: 2 ** 26 }
    const { stdout } = await promisify(execFile)('npm', ['sbom', ...OPTIONS], options)
    const bill = JSON.parse(stdout)
    // npm names it after the folder that it is in.
    bill.metadata.component.name = own.name
    return `${JSON.stringify(bill, null, 2)}\n`
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function withoutTools(lock) {
  const { devDependencies: _tools, ...own } = lock.packages['']
  const others = Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev)
  return { ...lock, packages: Object.fromEntries([['', own], ...others]) }
}

function readJson(root, file) {
  return JSON.parse(readFileSync(join(root, file), 'utf8'))
}
