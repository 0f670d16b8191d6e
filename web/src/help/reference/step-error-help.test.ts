import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { problems } from '../../../../src/errors.ts'
import { FLOW_FAULTS } from './flow-fault-help.ts'
import { STEP_ERRORS } from './step-error-help.ts'

const ROOT = join(import.meta.dirname, '../../../..')
const told = new Set([
  ...STEP_ERRORS.flatMap(({ errors }) => Object.keys(errors)),
  ...Object.keys(FLOW_FAULTS),
  ...Object.keys(problems)
])

/** Faults of what somebody types in an editor, told beside it and nowhere else. */
const BESIDE_THE_FIELD = new Set([
  'bad_key',
  'body_not_json',
  'cron_never',
  'invalid_cron',
  'invalid_every',
  'invalid_tool',
  'pure_component',
  'run_not_storable',
  'unknown_member',
  'unknown_timezone'
])

describe('the page of errors', () => {
  it('has every code that a step or a flow can fail with', () => {
    const missing = sources(
      'src/{components,engine,egress,sandbox,documents}/**/*.ts',
      'src/flows/validate/*.ts'
    )
      .flatMap(({ path, text }) =>
        [...text.matchAll(/(?:code: |\w[eE]rror\()'([a-z]+(?:_[a-z0-9]+)+)'/g)].map(([, code]) => [
          code!,
          path
        ])
      )
      .filter(([code]) => !told.has(code!) && !BESIDE_THE_FIELD.has(code!))
    assert.deepEqual(missing, [])
  })

  it('tells of no code that nobody uses', () => {
    const used = new Set(
      sources('src/**/*.ts').flatMap(({ text }) => text.match(/\b[a-z]+(?:_[a-z0-9]+)*\b/g) ?? [])
    )
    assert.deepEqual(
      [...told].filter((code) => !used.has(code)),
      []
    )
  })
})

function sources(...patterns: readonly string[]) {
  return globSync([...patterns], { cwd: ROOT })
    .filter((path) => !/\.test(?:-kit)?\.ts$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }))
}
