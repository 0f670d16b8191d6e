import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Flow } from '../../../editor/graph/flow.ts'
import { firstView } from './first-view.ts'

const flowAt = (...places: { x: number; y: number }[]) =>
  ({
    nodes: places.map((position, at) => ({ id: `parser-${at}`, type: 'parser', position, fields: {} }))
  }) as unknown as Flow

describe('what is in sight when a flow is opened', () => {
  it('begins at the first node wherever it stands, so that there is something to fit', () => {
    const view = firstView(flowAt({ x: 4_480, y: 270 }, { x: 5_000, y: 200 }))
    assert.deepEqual([view.fitView, view.defaultViewport], [true, { x: -4_432, y: -152, zoom: 1 }])
  })

  it('is nothing in particular while nothing stands there', () => {
    assert.deepEqual(firstView(flowAt()), {})
  })
})
