import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { applyCommand } from '../commands/apply-command.ts'
import { describeCommand } from '../commands/command.ts'
import { execute, startHistory, undo } from '../commands/history.ts'
import { flowOf, node } from '../graph/flow.test-kit.ts'
import { align, type Box, type Direction, distribute, type Side } from './align.ts'

const BOXES: readonly Box[] = [
  { id: 'a-1', x: 0, y: 10, width: 240, height: 64 },
  { id: 'b-1', x: 300, y: 200, width: 240, height: 120 },
  { id: 'c-1', x: 330, y: 40, width: 100, height: 64 }
]
const flow = flowOf(BOXES.map(({ id, x, y }) => node(id, { position: { x, y } })))

const placesAfter = (command: ReturnType<typeof align>) =>
  applyCommand(flow, command).nodes.map(({ position }) => [position.x, position.y])

describe('align', () => {
  const rows: [side: Side, places: number[][]][] = [
    [
      'left',
      [
        [0, 10],
        [0, 200],
        [0, 40]
      ]
    ],
    [
      'centre',
      [
        [150, 10],
        [150, 200],
        [220, 40]
      ]
    ],
    [
      'right',
      [
        [300, 10],
        [300, 200],
        [440, 40]
      ]
    ],
    [
      'top',
      [
        [0, 10],
        [300, 10],
        [330, 10]
      ]
    ],
    [
      'middle',
      [
        [0, 133],
        [300, 105],
        [330, 133]
      ]
    ],
    [
      'bottom',
      [
        [0, 256],
        [300, 200],
        [330, 256]
      ]
    ]
  ]
  for (const [side, places] of rows) {
    it(`puts parts on one line by their ${side}`, () => {
      assert.deepEqual(placesAfter(align(BOXES, side)), places)
    })
  }

  it('is one step of undo, in words', () => {
    const command = align(BOXES, 'left')
    assert.equal(describeCommand(command), 'Align left')
    assert.deepEqual(undo(execute(startHistory(flow), command, { at: 0 })).flow, flow)
  })
})

describe('distribute', () => {
  it('makes the gaps between parts equal, and leaves the outermost where they are', () => {
    // 540 wide in all, 580 taken: they overlap by 20 each.
    assert.deepEqual(placesAfter(distribute(BOXES, 'horizontally')), [
      [0, 10],
      [300, 200],
      [220, 40]
    ])
    // From 10 to 320, 248 taken: 31 between them.
    assert.deepEqual(placesAfter(distribute(BOXES, 'vertically')), [
      [0, 10],
      [300, 200],
      [330, 105]
    ])
  })

  it('changes nothing the second time, as aligning does not, whatever place the parts have', () => {
    const size = { width: 240, height: 64 }
    const place = fc.integer({ min: -500, max: 500 })
    const boxes = fc
      .array(fc.record({ x: place, y: place }), { minLength: 3, maxLength: 6 })
      .map((made) => made.map((box, index) => ({ ...size, ...box, id: `n-${index}` })))
    const directions: Direction[] = ['horizontally', 'vertically']
    fc.assert(
      fc.property(boxes, fc.constantFrom(...directions), (made, direction) => {
        const drawn = flowOf(made.map(({ id, x, y }) => node(id, { position: { x, y } })))
        const once = applyCommand(drawn, distribute(made, direction))
        const again = made.map((box, index) => ({ ...box, ...once.nodes[index]!.position }))
        const twice = applyCommand(once, distribute(again, direction))
        const axis = direction === 'horizontally' ? 'x' : 'y'
        for (const [index, { position }] of twice.nodes.entries()) {
          // Rounded to whole pixels, so it may differ by one.
          assert.ok(Math.abs(position[axis] - once.nodes[index]!.position[axis]) <= 1)
        }
        const aligned = applyCommand(drawn, align(made, 'left'))
        const boxesNow = made.map((box, index) => ({ ...box, ...aligned.nodes[index]!.position }))
        assert.equal(applyCommand(aligned, align(boxesNow, 'left')), aligned)
      })
    )
  })
})
