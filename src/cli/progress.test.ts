import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CopyStep } from '../store/copy/copy-store.ts'
import { showProgress } from './progress.ts'

describe('showProgress', () => {
  it('draws a bar that grows in its place on a terminal', () => {
    const { text, progress } = onOutput(true)
    for (const done of [0, 500, 1_000]) progress.show(step({ done }))
    progress.show(step({ part: 'journal', total: 0, done: 0 }))
    progress.end()
    const [runs, journal, end] = text().split('\n')
    const drawn = runs!.split('\r\x1b[2K').slice(1)
    assert.deepEqual(
      drawn.map((bar) => /^copying runs {12} (█*)(░*) +(\d+) % {2}([\d,]+) of 1,000$/.exec(bar)?.slice(1)),
      [
        ['', '░'.repeat(30), '0', '0'],
        ['█'.repeat(15), '░'.repeat(15), '50', '500'],
        ['█'.repeat(30), '', '100', '1,000']
      ]
    )
    assert.match(journal!, /copying journal .* 100 %/)
    assert.equal(end, '')
  })

  it('writes a few lines elsewhere, the first and the last among them', () => {
    const { text, progress } = onOutput(false)
    for (let done = 0; done <= 1_000; done += 10) progress.show(step({ done }))
    progress.show(step({ doing: 'checking', done: 1_000 }))
    progress.show(step({ doing: 'checking', done: 1_000 }))
    const lines = text().trimEnd().split('\n')
    assert.deepEqual(
      lines.map((line) => line.replace(/\s+/g, ' ')),
      [
        ...[0, 20, 40, 60, 80].map((percent) => `copying runs ${percent} % ${percent * 10} of 1,000`),
        'copying runs 100 % 1,000 of 1,000',
        'checking runs 100 % 1,000 of 1,000'
      ]
    )
    assert.ok(!text().includes('\r') && !text().includes('\x1b'))
  })
})

function step(given: Partial<CopyStep>): CopyStep {
  return { doing: 'copying', part: 'runs', done: 0, total: 1_000, ...given }
}

function onOutput(isTTY: boolean) {
  let written = ''
  const output = {
    isTTY,
    write: (text: string) => {
      written += text
    }
  }
  return { text: () => written, progress: showProgress(output) }
}
