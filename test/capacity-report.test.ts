import assert from 'node:assert/strict'
import { it } from 'node:test'
import { report } from '../bench/capacity.ts'

it('the report says what so many workers do, and where the database becomes the limit', () => {
  const costs = {
    measuredOn: 'a machine',
    accept: { web: 100, database: 50 },
    run: { worker: 200, database: 50 },
    idle: { database: 0 },
    bytes: 2_000
  }
  const lines = report(costs, { databaseCores: 4, load: 0.5 }).split('\n')
  const rows = lines.slice(2, 12).map((line) => line.trim().split(/\s{2,}/))
  assert.deepEqual(rows[0], ['1', '1', '2,500', '0.3', 'workers'])
  assert.deepEqual(rows[3], ['8', '4', '20,000', '2.0', 'workers'])
  assert.deepEqual(rows[9], ['64', '4', '20,000', '2.0', 'database'])
  assert.match(
    lines.join('\n'),
    /The database becomes the limit at 9 workers: 20,000 runs\/s\. Cores are planned to 50 %/
  )
})
