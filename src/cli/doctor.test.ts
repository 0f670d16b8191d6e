import assert from 'node:assert/strict'
import { it } from 'node:test'
import { fault } from '../store/finding.ts'
import { reportOf } from './doctor.ts'

it('gives terminals no orders that stand in names of files', () => {
  const report = reportOf([fault('flows', 'a\u001b[2J\u009b1m.yaml:1:1: broken', 'Mend it.')])
  assert.match(report, /^fault +flows +a�\[2J�1m\.yaml:1:1: broken\. Mend it\.\n\nFaults: 1/)
})
