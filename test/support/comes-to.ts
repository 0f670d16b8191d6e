import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { Page } from 'playwright-core'
import { PATIENCE_MS } from './browser.ts'

/**
 * What is read from the page comes to be what is expected. A page answers a key or a click before it has drawn what
 * follows: to look once is to depend on who is faster. It is looked at again with each frame.
 */
export async function comesTo<Read>(page: Page, read: () => Promise<Read>, expected: Read): Promise<void> {
  const until = performance.now() + PATIENCE_MS
  let found = await read()
  while (!isDeepStrictEqual(found, expected) && performance.now() < until) {
    await page.evaluate('new Promise(requestAnimationFrame)')
    found = await read()
  }
  assert.deepEqual(found, expected)
}
