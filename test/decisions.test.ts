import assert from 'node:assert/strict'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { ROOT } from './support/stage.ts'

const FOLDER = 'docs/decisions'
const PARTS = ['Question', 'Choice', 'Cost', 'Rejected', 'Reopen when']
/** A screen; a row of a table that is longer than its width takes several lines. */
const SCREEN = { lines: 45, columns: 130 }

/** A table of pg-boss's schema, or a column of its jobs, which are called `j` or `job` in statements. */
const NAMES_QUEUE = new RegExp(
  [
    /(?:millrace_queue|QUEUE_SCHEMA\})\.\w|\$\{jobs\}/,
    /\b(?:heartbeat_on|group_tier|group_id|start_after|started_on|created_on|retry_count|singleton_key|keep_until)\b/,
    /\b(?:j|job|\$\{job\})\.(?:name|id|state|data|output|blocked|priority)\b/
  ]
    .map(({ source }) => source)
    .join('|')
)
const USES_QUEUE = /from '[./]*queue\/(?:job-rows|job-states|claim-jobs)\.ts'/

const pages = readdirSync(join(ROOT, FOLDER))
  .filter((name) => name !== 'README.md')
  .sort()
  .map((name) => ({ name, text: read(`${FOLDER}/${name}`) }))

describe('the decisions', () => {
  it('are numbered without holes, in name and title', () => {
    for (const [index, { name, text }] of pages.entries()) {
      const number = String(index + 1)
      assert.match(name, new RegExp(`^${number.padStart(3, '0')}-[a-z0-9-]+\\.md$`))
      assert.match(text, new RegExp(`^# ${number}\\. \\S`), name)
    }
  })

  it('have one form', () => {
    for (const { name, text } of pages) {
      const parts = [...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)
      assert.deepEqual(parts, PARTS, name)
      for (const part of text.split(/^## .+$/m).slice(1)) assert.notEqual(part.trim(), '', name)
    }
  })

  it('fit on a screen', () => {
    for (const { name, text } of pages) {
      const lines = text.trimEnd().split('\n')
      const shown = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / SCREEN.columns)), 0)
      assert.ok(shown <= SCREEN.lines, `${name} takes ${shown} lines of a screen of ${SCREEN.lines}`)
    }
  })

  it('are all in the index, by number and title', () => {
    const index = read(`${FOLDER}/README.md`)
    for (const { name, text } of pages) {
      const [, number, title] = /^# (\d+)\. (.+)$/m.exec(text)!
      assert.ok(index.includes(`| ${number} | [${title}](${name}) |`), `${name} is not in the index`)
    }
  })

  it('tell the truth about SQL on the tables of pg-boss', () => {
    const { text } = pages.find(({ name }) => name === '011-sharing-the-work.md')!
    const told = /(\d+) files name pg-boss's tables or their columns, all in `(\S+)`; (\d+) others use/
    const [, naming, folder, using] = told.exec(text) ?? assert.fail('it tells no numbers')
    const sources = globSync('src/store/postgres/**/*.ts', { cwd: ROOT })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => !/\.test(-kit)?\.ts$/.test(file))
    const named = sources.filter((file) => NAMES_QUEUE.test(read(file)))
    assert.deepEqual(
      named.filter((file) => dirname(file) !== folder),
      []
    )
    const users = sources.filter((file) => !named.includes(file) && USES_QUEUE.test(read(file)))
    assert.deepEqual([Number(naming), Number(using)], [named.length, users.length])
  })
})

describe('links between documents', () => {
  for (const file of [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    ...globSync('docs/**/*.md', { cwd: ROOT })
  ]) {
    it(`lead somewhere: ${file}`, () => {
      for (const [, target, anchor] of read(file).matchAll(/\]\((?!https?:)([^)#\s]*)(#[^)\s]*)?\)/g)) {
        const path = target === '' ? file : join(dirname(file), target!)
        assert.ok(existsSync(join(ROOT, path)), `${file} leads to ${path}, which is not there`)
        if (anchor !== undefined && path.endsWith('.md'))
          assert.ok(anchorsOf(path).has(anchor), `${file} leads to ${path}${anchor}, which is not there`)
      }
    })
  }
})

/** As hosts of repositories make them of headings. */
function anchorsOf(file: string): Set<string> {
  const titles = [...read(file).matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!)
  return new Set(
    titles.map(
      (title) =>
        `#${title
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-')}`
    )
  )
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}
