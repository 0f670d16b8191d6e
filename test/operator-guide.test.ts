import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { readCommand } from '../src/cli/read-command.ts'
import { readConfig } from '../src/startup/config.ts'
import { ROOT } from './support/service.ts'

const guide = await readFile(join(ROOT, 'docs/operator-guide.md'), 'utf8')

describe('the operator guide', () => {
  it('names every variable that Millrace knows, and no other', () => {
    const named = new Set(guide.match(/\bMILLRACE_[A-Z_]+\b/g))
    assert.deepEqual([...named].sort(), knownVariables().sort())
  })

  it('gives commands that Millrace has, with the options that they take', () => {
    const commands = [...guide.matchAll(/npx millrace ([a-z-]+(?: (?:--[a-z]+|\/\S+))?)/g)].map(
      ([, words]) => words!
    )
    assert.ok(commands.length >= 5)
    for (const words of commands) readCommand(words.split(' '))
  })

  it('leads to pages that are there', async () => {
    for (const [, path] of guide.matchAll(/\]\((?!#|https?:)([^)#]+)/g)) {
      await assert.doesNotReject(readFile(join(ROOT, 'docs', path!)), path)
    }
  })
})

/** As the refusal of an unknown one lists them. */
function knownVariables(): string[] {
  try {
    readConfig({ MILLRACE_NO_SUCH_THING: '1' }, () => '')
  } catch (error) {
    const [, listed] = /Known are (.*)\.$/.exec((error as Error).message) ?? []
    return listed!.split(', ')
  }
  return assert.fail('an unknown variable was taken')
}
