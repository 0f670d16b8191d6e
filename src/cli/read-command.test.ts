import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Command, CommandError, readCommand } from './read-command.ts'

describe('readCommand', () => {
  const understood: [typed: string, command: Command][] = [
    ['', { name: 'start' }],
    ['start', { name: 'start' }],
    ['worker', { name: 'worker' }],
    ['sign-in', { name: 'sign-in' }],
    ['plugin my-plugin', { name: 'plugin', plugin: 'my-plugin', directory: undefined }],
    ['plugin a --directory b', { name: 'plugin', plugin: 'a', directory: 'b' }],
    ['plugin --directory=b a', { name: 'plugin', plugin: 'a', directory: 'b' }],
    ['dev ./index.js', { name: 'dev', file: './index.js' }],
    ['migrate-store', { name: 'migrate-store', restart: false }],
    ['migrate-store --restart', { name: 'migrate-store', restart: true }],
    ['doctor', { name: 'doctor', json: false }],
    ['doctor --json', { name: 'doctor', json: true }],
    ['backup copy.db', { name: 'backup', file: 'copy.db' }]
  ]
  for (const [typed, command] of understood) {
    it(`understands "millrace ${typed}"`, () => assert.deepEqual(readCommand(split(typed)), command))
  }

  const refused: [typed: string, says: RegExp][] = [
    ['plugn my-plugin', /"plugn" is not a command\. Did you mean "plugin"\?/],
    ['plugn --help', /Did you mean "plugin"\?/],
    ['run', /"run" is not a command/],
    ['--directry x', /Unknown option '--directry'\. millrace --help/],
    ['plugin a --directory', /--directory/],
    ['plugin', /has no name/],
    ['plugin a b', /"b" is a second one/],
    ['dev', /which file is the plugin/],
    ['dev a.js b.js', /"b\.js" is a second one/],
    ['start now', /start takes no arguments/],
    ['worker 2', /worker takes no arguments/],
    ['sign-in Ann', /sign-in takes no arguments/],
    ['signin', /Did you mean "sign-in"\?/],
    ['--directory x', /start takes no arguments/],
    ['migrate-store now', /migrate-store takes no arguments/],
    ['migrate-store --json', /migrate-store does not know --json/],
    ['doctor --restart', /doctor does not know --restart/],
    ['migrate-stor', /Did you mean "migrate-store"\?/],
    ['constructor', /"constructor" is not a command/],
    ['backup', /where to write/],
    ['backup a b', /"b" is a second one/]
  ]
  for (const [typed, says] of refused) {
    it(`refuses "millrace ${typed}" in one line`, () => {
      assert.throws(
        () => readCommand(split(typed)),
        (error: Error) => {
          assert.ok(error instanceof CommandError)
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
