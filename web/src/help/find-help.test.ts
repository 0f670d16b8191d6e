import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, it } from 'node:test'
import { CHAPTERS } from './contents.ts'
import { findHelp, type HelpSection } from './find-help.ts'
import { referenceSections } from './reference-index.ts'

const section = (to: string, title: string, heading: string, words: string): HelpSection => ({
  to,
  title,
  heading,
  beginning: '',
  words
})

const SECTIONS = [
  section('sending', 'Sending', 'Sending', 'a mail or a webhook with deduplicate_by'),
  section('senders#github', 'Senders', 'GitHub', 'webhook signature sha256'),
  section('webhooks', 'Webhooks', 'Webhooks', 'post signature key')
]

const found = (search: string) => findHelp(SECTIONS, search, 2).map(({ to }) => to)

describe('findHelp', () => {
  it('puts headings before words, and takes beginnings and plurals', () => {
    assert.deepEqual(found('webhooks'), ['webhooks', 'senders#github'])
    assert.deepEqual(found('git'), ['senders#github'])
    assert.deepEqual(found('deduplicate_by'), ['sending'])
  })

  it('puts what says it first before what mentions it, and errors last', () => {
    const said = (to: string, title: string, heading: string, words: string) =>
      section(to, title, heading, words)
    const sections = [
      said('errors', 'Errors', 'rate_limited', 'retry later'),
      said('errors#2', 'Errors', 'retry_late', 'late'),
      said('import', 'Import', 'Langflow', 'flows come in without a retry'),
      said('runs', 'Runs', 'Once more', 'a retry goes on')
    ]
    const order = findHelp(sections, 'retry', 9).map(({ to }) => to)
    assert.deepEqual(order, ['errors#2', 'runs', 'import', 'errors'])
    assert.equal(findHelp([sections[1]!, said('a', 'A', 'Secrets', 'x')], 'secret', 1)[0]?.to, 'a')
  })

  it('finds what has all words', () => {
    assert.deepEqual(found('github signature'), ['senders#github'])
    assert.deepEqual(found('github mail'), [])
    assert.deepEqual(found('  '), [])
  })
})

describe('the references', () => {
  it('are found as wholes', () => {
    const found = (search: string) => findHelp(referenceSections(), search, 3).map(({ to }) => to)
    assert.deepEqual(found('api reference'), ['api'])
    assert.deepEqual(found('openapi'), ['api'])
    assert.deepEqual(found('error codes'), ['errors'])
  })
})

describe('the contents of the help', () => {
  it('name every document of docs/ once', () => {
    const files = globSync('*.md', { cwd: join(import.meta.dirname, '../../../docs') })
    const pages = CHAPTERS.flatMap((chapter) => chapter.pages)
    assert.deepEqual([...pages].sort(), files.map((file) => basename(file, '.md')).sort())
  })
})
