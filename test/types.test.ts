import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { ROOT } from './support/stage.ts'

/** tsc itself runs the type tests, before these tests. What it cannot see is a type test that it does not read. */
describe('the type tests', () => {
  const files = globSync('test/types/*.ts', { cwd: ROOT })

  it('are all read by tsc', async () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const args = [tsc, '--singleThreaded', '--listFilesOnly']
    const env = { ...process.env, GOGC: 'off' }
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT, env })
    const read = new Set(stdout.split('\n').map((line) => line.trim()))
    assert.deepEqual(
      files.filter((file) => !read.has(join(ROOT, file))),
      []
    )
  })

  it('say what must not compile', () => {
    const tests = files.filter((file) => !file.endsWith('expect-type.ts'))
    assert.ok(tests.length > 0, 'there is none')
    for (const file of tests) {
      assert.match(readFileSync(join(ROOT, file), 'utf8'), /@ts-expect-error: \S/, file)
    }
  })
})
