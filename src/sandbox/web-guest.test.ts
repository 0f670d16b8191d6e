import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { runInThisContext } from 'node:vm'
import { AT, NEVER, poolOfFile, step } from './sandbox-pool.test-kit.ts'

describe('inside the sandbox', () => {
  const { pool } = poolOfFile()
  /** What Node itself gives, from the same text. */
  const CASES: readonly string[] = [
    `new URL('/a b?x=1&x=2#h', 'https://ann:pw@ü.example:8443/z').href`,
    `(() => { const url = new URL('https://a.example/?q=x+y'); url.searchParams.append('z', 'ä &~(!)'); url.searchParams.delete('q'); url.pathname = '/p q'; url.port = 81; return [url.href, url.search, url.host, url.origin, JSON.stringify({ url })] })()`,
    `[URL.canParse('x'), URL.canParse('/x', 'https://a.example'), URL.parse('nope')]`,
    `(() => { const params = new URLSearchParams({ b: 2, a: 'x y' }); params.set('b', 3); params.append('a', ''); params.sort(); return [String(params), params.getAll('a'), params.has('a', 'x y'), params.size, [...params.keys()]] })()`,
    `new TextDecoder().decode(new TextEncoder().encode('ä€😀'))`,
    `new TextDecoder('windows-1252').decode(new Uint8Array([0, 0x80, 0xe4]).subarray(1))`,
    `[new TextDecoder('latin1').encoding, new TextDecoder('utf-16le').decode(new Uint16Array([228]))]`,
    `(() => { try { new TextDecoder('utf-8', { fatal: true }).decode(new Uint8Array([255])) } catch (error) { return error instanceof TypeError } })()`,
    `(() => { try { return new URL('nope') } catch (error) { return error instanceof TypeError } })()`,
    `(() => { try { return new Intl.NumberFormat('de', { style: 'currency', currency: 'x' }) } catch (error) { return error instanceof RangeError } })()`,
    `new Intl.NumberFormat('de-DE', { style: 'currency', currency: 'EUR' }).format(1234567.891)`,
    `[1, -0, NaN, 12n, 1e21].map(new Intl.NumberFormat('en').format)`,
    `new Intl.NumberFormat('en', { notation: 'compact' }).formatToParts(12345).map(({ type }) => type)`,
    `new Intl.DateTimeFormat('sv-SE', { dateStyle: 'full', timeStyle: 'short', timeZone: 'Europe/Stockholm' }).format(new Date(0))`,
    `new Intl.DateTimeFormat('en', { timeZone: 'Asia/Tokyo', timeZoneName: 'short', hour: 'numeric' }).formatToParts(0).length`,
    `[new Intl.PluralRules('en', { type: 'ordinal' }).select(2), new Intl.ListFormat('de').format(['a', 'b', 'c'])]`,
    `new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-1, 'day')`,
    `new Intl.DisplayNames('de', { type: 'region' }).of('SE')`,
    `['ö', 'z', 'a'].sort(new Intl.Collator('sv').compare)`,
    `['b', 'a', 'A'].sort((one, other) => one.localeCompare(other, 'en'))`,
    `(1234.5).toLocaleString('de-DE')`,
    `new Date(0).toLocaleDateString('de-DE', { timeZone: 'UTC', month: 'long' })`,
    `new Date(0).toLocaleTimeString('en-GB', { timeZone: 'UTC' })`
  ]
  for (const expression of CASES)
    it(`is as in browsers: ${expression.slice(0, 90)}`, async () => {
      const answer = await pool.compute(step(`return ${expression}`), NEVER)
      assert.equal(answer.state, 'returned', JSON.stringify(answer))
      assert.deepEqual(JSON.parse(answer.result!), JSON.parse(JSON.stringify(runInThisContext(expression))))
    })

  it('has a clock that stands still, in UTC, and is the same in an engine that was made anew', async () => {
    const source = `return [new Intl.DateTimeFormat('en-GB', { dateStyle: 'short', timeStyle: 'short' }).format(), new URL('http://a.example').host]`
    const expected = JSON.stringify(['02/01/2026, 03:04', 'a.example'])
    assert.equal(new Date(AT).toISOString().slice(0, 16), '2026-01-02T03:04')
    for (const code of [
      source,
      'for (;;) {}',
      source,
      `URL = undefined; Intl.DateTimeFormat = 7; return 1`,
      source
    ]) {
      const answer = await pool.compute(step(code, code.startsWith('for') ? { timeoutMs: 50 } : {}), NEVER)
      if (code === source) assert.equal(answer.result, expected, JSON.stringify(answer))
    }
  })
})
