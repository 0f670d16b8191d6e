import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Command } from './command.ts'
import { UsageError } from './command-error.ts'
import { readCommand } from './read-command.ts'

const NOTHING = { help: false }
const NOWHERE = { url: undefined, key: undefined, profile: undefined, json: false, help: false }

describe('readCommand', () => {
  const understood: [typed: string, command: Pick<Command, 'name'> & Partial<Command>][] = [
    ['', { name: 'start', operands: {}, options: NOTHING }],
    ['start', { name: 'start' }],
    ['worker', { name: 'worker' }],
    ['sign-in', { name: 'sign-in' }],
    ['plugin my-plugin', { name: 'plugin', operands: { name: 'my-plugin' } }],
    ['plugin --directory=b a', { name: 'plugin', operands: { name: 'a' } }],
    ['plugin --directory b a', { name: 'plugin', operands: { name: 'a' } }],
    ['dev ./index.js', { name: 'dev', operands: { file: './index.js' } }],
    ['migrate-store', { name: 'migrate-store', options: { restart: false, ...NOTHING } }],
    ['migrate-store --restart', { name: 'migrate-store', options: { restart: true, ...NOTHING } }],
    ['doctor --json', { name: 'doctor', options: { json: true, ...NOTHING } }],
    ['backup copy.db', { name: 'backup', operands: { file: 'copy.db' } }],
    ['flows', { name: 'flows list', options: { context: undefined, tag: undefined, ...NOWHERE } }],
    [
      'flows list --json --context /a',
      { name: 'flows list', options: { ...NOWHERE, context: '/a', tag: undefined, json: true } }
    ],
    [
      '--url x.example flows show --key k orders',
      {
        name: 'flows show',
        operands: { flow: 'orders' },
        options: { ...NOWHERE, url: 'x.example', key: 'k' }
      }
    ],
    ['flows show -- -odd', { name: 'flows show', operands: { flow: '-odd' } }],
    ['login', { name: 'login', operands: { address: undefined }, options: NOWHERE }],
    ['profiles production', { name: 'profiles', operands: { use: 'production' } }]
  ]
  for (const [typed, command] of understood) {
    it(`understands "millrace ${typed}"`, () =>
      assert.partialDeepStrictEqual(readCommand(split(typed)), command))
  }

  const refused: [typed: string, says: RegExp][] = [
    ['plugn my-plugin', /"plugn" is not a command\. Did you mean "plugin"\?/],
    ['plugn --help', /Did you mean "plugin"\?/],
    ['run', /"run" is not a command/],
    ['plugin a --directry x', /^plugin does not know --directry\. Did you mean "--directory"\?/],
    ['plugin a --directory', /--directory/],
    ['plugin', /plugin needs <name>, for example: millrace plugin my-plugin/],
    ['plugin a b', /takes only <name>, and there is "b"/],
    ['dev', /for example: millrace dev \.\/index\.js/],
    ['start now', /start takes no arguments/],
    ['worker 2', /worker takes no arguments/],
    ['signin', /Did you mean "sign-in"\?/],
    ['--restart', /start does not know --restart/],
    ['migrate-store --json', /migrate-store does not know --json/],
    ['migrate-stor', /Did you mean "migrate-store"\?/],
    ['constructor', /"constructor" is not a command/],
    ['backup', /for example: millrace backup millrace-backup\.db/],
    ['flows lst', /"flows lst" is not a command\. Did you mean "list"\? After flows comes .*list/],
    ['flows orders', /"flows orders" is not a command/],
    ['flows show', /flows show needs <flow>, for example: millrace flows show orders/],
    ['flows list --json=yes', /--json.* does not take an argument/]
  ]
  for (const [typed, says] of refused) {
    it(`refuses "millrace ${typed}" in one line`, () => {
      assert.throws(
        () => readCommand(split(typed)),
        (error: Error) => {
          assert.ok(error instanceof UsageError)
          assert.match(error.message, says)
          assert.match(error.message, /^[^\n]+$/)
          return true
        }
      )
    })
  }
})

function split(typed: string): string[] {
  return typed.split(' ').filter((word) => word !== '')
}
