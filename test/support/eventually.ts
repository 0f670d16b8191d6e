import assert from 'node:assert/strict'
import { setTimeout as after } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

/** Only to be told by a clear message instead of by the runner's time limit. */
const PATIENCE_MS = 60_000
/** Between two looks, at first and at most: each may be a request, or a question to a database. */
const LOOK_MS = { first: 5, last: 50 }

/** What is read comes to be this, or what the function is true for. For what tells nobody when it happens. */
export async function eventually<Read>(
  read: () => Read | Promise<Read>,
  expected: Read | ((read: Read) => boolean)
): Promise<Read> {
  const isIt = (value: Read) =>
    typeof expected === 'function'
      ? (expected as (read: Read) => boolean)(value)
      : isDeepStrictEqual(value, expected)
  const until = performance.now() + PATIENCE_MS
  let found = await read()
  for (
    let ms = LOOK_MS.first;
    !isIt(found) && performance.now() < until;
    ms = Math.min(1.2 * ms, LOOK_MS.last)
  ) {
    await after(ms)
    found = await read()
  }
  if (typeof expected === 'function') assert.ok(isIt(found), JSON.stringify(found))
  else assert.deepEqual(found, expected)
  return found
}
