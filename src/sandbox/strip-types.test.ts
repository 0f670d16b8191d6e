import assert from 'node:assert/strict'
import { it } from 'node:test'
import { readFault } from './strip-types.js'

it('a fault of code is read from what Node 22 says of it', () => {
  const picture = ['   ,-[2:1]', ' 1 | (async function (data) {', ' 2 | const a = = 1', '   :           ^']
  const message = ['  x Expression expected', ...picture, ' 3 | })', '   `----', '', 'Caused by:'].join('\n')
  assert.deepEqual(readFault({ message }), { words: 'Expression expected', line: 2, column: 11 })
  assert.deepEqual(readFault({ message: 'Expression expected', stack: ':2\nconst a = = 1\n          ^\n' }), {
    words: 'Expression expected',
    line: 2,
    column: 11
  })
})
