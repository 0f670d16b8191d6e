import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Stage } from './execution.test-kit.ts'
import { plan } from './plan.test-kit.ts'

const reading = (text: string) => ({ fields: { text } })

describe('what a node reads of its run', () => {
  it('is what earlier nodes have put out, and nothing where it reads nothing', async () => {
    const stage = await new Stage('A -> B -> C', {
      nodes: { C: reading('{$nodes.A.out} {$nodes.B.gone?}') }
    }).play()
    const [a, b, c] = stage.calls
    assert.deepEqual([a!.references, b!.references], [undefined, undefined])
    assert.deepEqual(c!.references?.nodes, { A: { out: 'A()' }, B: { out: 'B(A())' } })
  })

  it('lacks what was skipped', async () => {
    const of = plan('A -> B -> C; A -> C', { C: reading('{$nodes.B.out?}') })
    const stage = await new Stage(of, { steps: { B: () => ({}) } }).play()
    assert.deepEqual(stage.calls.at(-1)!.references?.nodes, { B: {} })
  })

  it('comes from the journal after a crash', async () => {
    const of = plan('A -> B! -> C!', { C: reading('{$nodes.A.out}') })
    let dead = false
    const steps = {
      C: () => {
        dead = true
        return new Promise(() => {})
      }
    }
    const first = await new Stage(of, { steps, lives: () => !dead }).play()
    const second = await new Stage(of, { journal: first.journal }).play()
    assert.deepEqual(
      second.calls.map(({ node, references }) => [node.id, references?.nodes]),
      [['C', { A: { out: 'A()' } }]]
    )
  })

  it('is the time of the first attempt, in all that follow and after a crash', async () => {
    const nodes = { A: { ...reading('{$now}'), retry: { attempts: 3, backoff_ms: 1_000 } } }
    let tries = 0
    const steps = {
      A: () => {
        if (++tries < 3) throw new Error('not yet')
        return { out: 'done' }
      }
    }
    const stage = await new Stage('A! -> B', { nodes, steps }).play()
    const began = stage.calls[0]!.references!.beganAt
    const journal = [...stage.journal]
    stage.clock.advance(60_000)
    const later = stage.clock
    const again = await new Stage('A! -> B', { nodes, steps, journal, clock: later }).play()
    assert.equal(again.calls[0]!.attempt, 2)
    assert.equal(again.calls[0]!.references!.beganAt, began)
    assert.ok(later.now() > began)
  })

  it('is not written down where no time is read', async () => {
    const nodes = { A: reading('{$run.id}') }
    const stage = await new Stage('A! -> B', { nodes }).play()
    assert.ok(!JSON.stringify(stage.journal).includes('beganAt'))
  })
})
