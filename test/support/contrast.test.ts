import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Colour, contrastOf, isFaint } from './contrast.ts'

const WHITE: Colour = [255, 255, 255, 1]
const BLACK: Colour = [0, 0, 0, 1]
const GREY: Colour = [119, 119, 119, 1]
const CLEAR: Colour = [0, 0, 0, 0]

const on = (background: Colour, opacity = 1) => ({ background, opacity })
const rounded = (ratio: number) => Math.round(ratio * 100) / 100

describe('the contrast of a text', () => {
  it('is what WCAG says', () => {
    assert.equal(rounded(contrastOf(BLACK, [on(WHITE)])), 21)
    assert.equal(rounded(contrastOf(WHITE, [on(BLACK)])), 21)
    assert.equal(rounded(contrastOf(GREY, [on(WHITE)])), 4.48)
    assert.equal(rounded(contrastOf(WHITE, [on(WHITE)])), 1)
  })

  it('is that to the first thing that can be seen behind it', () => {
    assert.equal(rounded(contrastOf(WHITE, [on(CLEAR), on(BLACK), on(WHITE)])), 21)
    const half: Colour = [0, 0, 0, 0.5]
    assert.equal(
      rounded(contrastOf(WHITE, [on(half), on(WHITE)])),
      rounded(contrastOf(WHITE, [on([127.5, 127.5, 127.5, 1])]))
    )
  })

  it('is less for what can be seen through', () => {
    const faint: Colour = [0, 0, 0, 0.5]
    const mixed = rounded(contrastOf([127.5, 127.5, 127.5, 1], [on(WHITE)]))
    assert.equal(rounded(contrastOf(faint, [on(WHITE)])), mixed)
    assert.equal(rounded(contrastOf(BLACK, [on(CLEAR, 0.5), on(WHITE)])), mixed)
    assert.equal(
      rounded(contrastOf(WHITE, [on(BLACK, 0.5), on(WHITE)])),
      rounded(contrastOf(WHITE, [on([127.5, 127.5, 127.5, 1])]))
    )
  })

  it('may be less for a large one', () => {
    const text = { colour: GREY, layers: [on(WHITE)] }
    assert.equal(isFaint({ ...text, isLarge: false }), true)
    assert.equal(isFaint({ ...text, isLarge: true }), false)
  })
})
