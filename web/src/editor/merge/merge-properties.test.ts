import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { applyCommand } from '../commands/apply-command.ts'
import type { Command } from '../commands/command.ts'
import { equalJson } from '../graph/equal-json.ts'
import { anyCommand, anyFlow, structureFaults } from '../graph/flow.test-kit.ts'
import type { Flow } from '../graph/flow.ts'
import { renameInFlow } from '../graph/rename-ids.ts'
import type { Conflict } from './conflict.ts'
import { type Merge, mergeFlows } from './merge-flows.ts'

function edited(flow: Flow, commands: readonly Command[]): Flow {
  return commands.reduce(applyCommand, flow)
}

describe('a merge of anything with anything', () => {
  const edits = fc.array(anyCommand, { maxLength: 6 })

  it('is what one side made where the other did nothing', () => {
    fc.assert(
      fc.property(anyFlow, edits, (base, commands) => {
        const side = edited(base, commands)
        assert.deepEqual(mergeFlows({ base, mine: side, theirs: base }).flow, side)
        assert.deepEqual(mergeFlows({ base, mine: base, theirs: side }).flow, side)
        assert.deepEqual(mergeFlows({ base, mine: structuredClone(side), theirs: side }).flow, side)
      })
    )
  })

  it('is a flow that can be saved, whatever is chosen', () => {
    fc.assert(
      fc.property(anyFlow, edits, edits, fc.infiniteStream(fc.boolean()), (base, mine, theirs, coin) => {
        const three = { base, mine: edited(base, mine), theirs: edited(base, theirs) }
        const { conflicts } = mergeFlows(three)
        const choices = new Map(
          conflicts.map(({ id }) => [id, coin.next().value ? 'mine' : 'theirs'] as const)
        )
        assert.deepEqual(structureFaults(mergeFlows(three, { choices }).flow), [])
      }),
      { numRuns: 500 }
    )
  })

  it('loses nothing: whatever a side changed is there, or among the conflicts', () => {
    fc.assert(
      fc.property(anyFlow, edits, edits, (base, mineEdits, theirEdits) => {
        const flows = { base, mine: edited(base, mineEdits), theirs: edited(base, theirEdits) }
        const merge = mergeFlows(flows)
        const mine = renameInFlow(flows.mine, merge.renamed)
        for (const side of [mine, flows.theirs]) {
          for (const lost of lostParts(base, side, merge))
            assert.fail(`lost ${lost}\n${JSON.stringify({ flows, merge }, null, 1)}`)
        }
      }),
      { numRuns: 1000 }
    )
  })
})

/** The parts of a flow that are content, each under a name of its own. */
function partsOf(flow: Flow): Map<string, unknown> {
  const parts = new Map<string, unknown>([['flow/name', flow.name]])
  for (const { id, position, collapsed, shown_fields, fields, ...rest } of flow.nodes) {
    parts.set(`node/${id}`, true)
    for (const [name, value] of Object.entries(rest)) parts.set(`node/${id}/${name}`, value)
    for (const [name, value] of Object.entries(fields)) parts.set(`node/${id}/field/${name}`, value)
  }
  for (const { from, to } of flow.edges) parts.set(`wire/${to}/${from}`, from)
  for (const { id, position, size, nodes = [], ...rest } of flow.notes ?? []) {
    parts.set(`note/${id}`, true)
    for (const member of nodes) parts.set(`note/${id}/around ${member}`, true)
    for (const [name, value] of Object.entries(rest)) parts.set(`note/${id}/${name}`, value)
  }
  return parts
}

/** What a side changed and the merge neither has nor asks about. */
function lostParts(base: Flow, side: Flow, merge: Merge): string[] {
  const [before, after, merged] = [partsOf(base), partsOf(side), partsOf(merge.flow)]
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (part) => !equalJson(before.get(part), after.get(part)) && !wentWithItsNode(part, after)
  )
  return changed.filter(
    (part) => !equalJson(after.get(part), merged.get(part)) && !isAsked(part, after, merge)
  )
}

/** A wire that went only because its node did is no edit of its own. */
function wentWithItsNode(part: string, after: ReadonlyMap<string, unknown>): boolean {
  if (!part.startsWith('wire/') || after.has(part)) return false
  const ends = part.slice('wire/'.length).split('/')
  return ends.some((end) => !after.has(`node/${end.split('.')[0]}`))
}

function isAsked(part: string, after: ReadonlyMap<string, unknown>, { conflicts }: Merge): boolean {
  return conflicts.some((conflict) => isAbout(conflict, part, after))
}

function isAbout(conflict: Conflict, part: string, after: ReadonlyMap<string, unknown>): boolean {
  switch (conflict.part) {
    case 'flow':
      return part === `flow/${conflict.member}`
    case 'node':
      return part.startsWith(`node/${conflict.node}`) || isWireOf(conflict.node, part, after.get(part))
    case 'node member':
      return part === `node/${conflict.node}/${conflict.member}`
    case 'field':
      return part === `node/${conflict.node}/field/${conflict.field}`
    case 'wire':
      return part.startsWith(`wire/${conflict.to}/`)
    case 'note':
      return part.startsWith(`note/${conflict.note}`)
    case 'note member':
      return part === `note/${conflict.note}/${conflict.member}`
  }
}

/** A wire that a side removed may come back with its node; one that it made may go with it. */
function isWireOf(node: string, part: string, from: unknown): boolean {
  if (!part.startsWith('wire/')) return false
  const ends = part.slice('wire/'.length).split('/')
  return from === undefined || ends.some((end) => end.startsWith(`${node}.`))
}
