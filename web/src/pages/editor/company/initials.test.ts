import assert from 'node:assert/strict'
import { it } from 'node:test'
import { initialsOf } from './initials.ts'

it('a name is shown by two letters', () => {
  const names = ['Ann Lindqvist', 'MILLRACE_API_KEY', 'bob', 'Østen von Å', '7', '', '🦊 fox']
  assert.deepEqual(names.map(initialsOf), ['AL', 'MK', 'BO', 'ØÅ', '7', '?', 'FO'])
})
