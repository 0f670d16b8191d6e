import assert from 'node:assert/strict'
import type { Outside } from '../steps/run-in-context.ts'

const none = () => assert.fail('no files are used')

export const NO_FILES: Outside['files'] = {
  find: none,
  givenBy: none,
  namedAgain: none,
  nameFound: none,
  noteSent: none,
  keep: none,
  letGo: none,
  name: none,
  stored: none,
  read: none
}
