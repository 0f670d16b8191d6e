import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { ROOT } from './support/stage.ts'

/** Follows the walks of CONTRIBUTING.md, and the maps of the READMEs: what they name is there, and nothing is left out. */

interface Stop {
  readonly file: string
  readonly lookFor: string
}

/** Where the example of a walk is known by what; whatever file of the folders says it has to be in the walk. */
const EXAMPLES: Readonly<Record<string, { readonly files: string; readonly known: RegExp }>> = {
  'A component': { files: 'src/components/**/*.ts', known: /'random-id'|\brandomId\b/ },
  'A trigger': { files: 'src/{*.ts,!(simulation|import)/**/*.ts}', known: /'run-failed'|\bFailureAlerts\b/ },
  'A store table': { files: 'src/store/**/*.{ts,sql}', known: /\bflow_pins\b|\bPinStore\b/ },
  'A stored field of a run': {
    files: 'src/{store,runs/record,runs/present}/**/*.{ts,sql}',
    known: /\breplay_of\b|\breplayOf\b/
  },
  'A page': { files: 'web/src/{api,pages,shell}/**/*.{ts,tsx}', known: /'\/approvals'|\bApprovalsPage\b/ }
}

/** Tables of the embedded store that `migrate-store` leaves, and why. */
const NOT_COPIED: Readonly<Record<string, string>> = {
  meta: 'is about the file itself',
  names: 'is copied as the texts that its numbers stand for',
  queue: 'is copied as open_runs',
  releases: 'is worked off before a copy',
  blocks: 'follows from the runs',
  deletions: 'is what retention has left to do; those runs go by their own age then',
  flow_rehearsals: 'is done anew in a second',
  hung_steps: 'is about the previous process; such a step is tried alone once more',
  spending_writers: 'is about writes of processes that use the other store'
}

const contributing = read('CONTRIBUTING.md')

for (const [title, { files, known }] of Object.entries(EXAMPLES)) {
  describe(`the walk "${title}" of CONTRIBUTING.md`, () => {
    const stops = stopsOf(title)

    it('leads to files that are there, and say what to look for', () => {
      assert.ok(stops.length > 5, 'the walk has no table')
      for (const { file, lookFor } of stops) {
        assert.ok(existsSync(join(ROOT, file)), `${file} is not there any more`)
        assert.ok(read(file).includes(lookFor), `${file} does not say ${lookFor} any more`)
      }
    })

    it('leaves out no file that its example needs', () => {
      const named = stops.map(({ file }) => file)
      const needed = globSync(files, { cwd: ROOT })
        .map((file) => file.replaceAll('\\', '/'))
        .filter((file) => !/\.test(-kit)?\.ts$/.test(file) && known.test(read(file)))
      assert.deepEqual(
        needed.filter((file) => !named.includes(file)),
        []
      )
    })
  })
}

describe('a store table', () => {
  it('is the work of eight files at most', () => assert.ok(stopsOf('A store table').length <= 8))

  it('is copied by migrate-store, or said to be left', () => {
    const tables = [
      ...read('src/store/sqlite/migrations/0001-schema.sql').matchAll(/^CREATE TABLE (\w+)/gm)
    ].map(([, name]) => name!)
    const rooms = ['', 'beside-flow-', 'connection-', 'knowledge-', 'message-', 'spending-']
    const parts = rooms.map((room) => read(`src/store/copy/${room}parts.ts`)).join()
    const left = tables.filter((name) => !parts.includes(`name: '${name}'`))
    assert.deepEqual(left.sort(), Object.keys(NOT_COPIED).sort())
  })
})

describe('the map of the README', () => {
  const map = /```\nsrc\/\n([\s\S]*?)web\/src\/\n([\s\S]*?)```/.exec(read('README.md'))
  const [, service = '', page = ''] = map ?? assert.fail('README.md has no map')

  it('names every room of src/, and no other', () => assert.deepEqual(namedIn(service), roomsOf('src')))

  it('names every room of web/src/, and no other', () => assert.deepEqual(namedIn(page), roomsOf('web/src')))
})

describe('the maps below web/', () => {
  it('name every room of web/src/, and no other', () => {
    const map = /^ {2}src\/\n([\s\S]*?)```/m.exec(read('web/README.md'))
    const [, page = ''] = map ?? assert.fail('web/README.md has no map')
    assert.deepEqual(namedIn(page.replaceAll(/^ {2}/gm, '')), roomsOf('web/src'))
  })

  it('name every folder of the editor, and no other', () => {
    const rows = [...read('web/src/editor/README.md').matchAll(/^\| `(\S+)` \|/gm)].map(([, name]) => name!)
    assert.deepEqual(
      rows.sort(),
      roomsOf('web/src/editor').filter((name) => name !== 'README.md')
    )
  })
})

function stopsOf(title: string): Stop[] {
  const [, section = ''] = contributing.split(`\n### ${title}\n`)
  const [table] = section.split(/\n##/)
  return [...table!.matchAll(/^\| `([^`]+)` \|.*\| `([^`]+)` \|$/gm)].map(([, file, lookFor]) => ({
    file: file!,
    lookFor: lookFor!
  }))
}

function namedIn(map: string): string[] {
  return [...map.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name!).sort()
}

/** As the map writes them: a folder has a slash behind it. */
function roomsOf(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true })
    .filter(({ name }) => !/\.test(-kit)?\.ts$/.test(name))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
    .sort()
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}
