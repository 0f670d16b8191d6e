import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { ApiCheck } from './support/openapi/api-check.ts'
import { allOperations } from './support/routes.ts'
import { startService } from './support/service.ts'

/**
 * By hand, for longer than `npm test` has time for: sends so many generated requests to every operation, and tells where
 * its description is not true. `node scripts/run.mjs test/check-api.ts --runs 300 [--only saveDraft]`
 */
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '150' }, only: { type: 'string' } }
})
const tasks: (() => unknown)[] = []
const service = await startService({ after: (task) => tasks.push(task) })
const check = new ApiCheck(service)
let failures = 0
const operations = await allOperations(service)
for (const operation of operations) {
  const { operationId } = operation.description
  if (values.only !== undefined && values.only !== operationId) continue
  for (const property of check.propertiesOf(operation)) {
    const result = await fc.check(property, { numRuns: Number(values.runs) })
    if (!result.failed) continue
    failures++
    const { seed, counterexamplePath: path, errorInstance } = result
    const message = errorInstance instanceof Error ? errorInstance.message : String(errorInstance)
    process.stdout.write(`\n── ${operationId} (seed ${seed}, path ${path})\n${message}\n`)
  }
}
process.stdout.write(`\n${check.sent} requests, ${failures} properties that do not hold.\n`)
const unserved = operations
  .map(({ method, path }) => `${method} ${path}`)
  .filter((name) => !check.served.has(name))
process.stdout.write(`Never answered with success: ${unserved.join(', ') || 'none'}.\n`)
for (const task of tasks) await task()
process.exitCode = failures === 0 ? 0 : 1
