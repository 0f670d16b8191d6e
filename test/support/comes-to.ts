import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { PATIENCE_MS } from './browser.ts'

/** As many looks follow each other at once. */
const SOON = 3
const LATER = 'new Promise((resolve) => setTimeout(resolve, 60))'

/**
 * What is read from the page comes to be what is expected. A page answers a key or a click before it has drawn what
 * follows: to look once is to depend on who is faster. It is looked at again with the next frames; after these with
 * some time in between, because to look takes 20 ms of a processor.
 */
export async function comesTo<Read>(page: Page, read: () => Promise<Read>, expected: Read): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  let found = await read()
  for (let looks = 1; !isDeepStrictEqual(found, expected) && performance.now() < until; looks += 1) {
    await page.evaluate(looks < SOON ? 'new Promise(requestAnimationFrame)' : LATER)
    found = await read()
  }
  assert.deepEqual(found, expected)
}
