import { CONTEXT_NAME } from '../../contexts/context-path.ts'
import { VARIABLE_NAME } from '../component/context-variables.ts'
import { CONTEXT_PATH, NODE_ID, SLUG, TAG, VISIBLE } from '../document/flow-document.ts'
import { WEB_ADDRESS } from '../json/common-schemas.ts'

/** What to write where a pattern did not match: no person should have to read the pattern. */
export const PATTERN_REMEDIES: Readonly<Record<string, string>> = {
  [VISIBLE]: 'Write at least 1 character that can be seen.',
  [TAG]: 'Begin and end with a character that can be seen, and keep it on one line.',
  [NODE_ID]: 'Use 1 to 100 letters, digits, hyphens and underscores.',
  [SLUG]:
    'Use 1 to 80 lower-case letters, digits, hyphens and underscores, beginning and ending with a letter or digit.',
  [CONTEXT_PATH]: 'Write a context as a path, for example "/" or "/sales/eu".',
  [WEB_ADDRESS]:
    'Write an address that begins with http:// or https://, for example "https://api.example.com".',
  [CONTEXT_NAME]: 'Use 1 to 60 letters, digits, hyphens and underscores.',
  [VARIABLE_NAME]: 'Begin with a letter or underscore; letters, digits, hyphens and underscores may follow.'
}
