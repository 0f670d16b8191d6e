import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Step } from '../../flows/component/component.ts'
import { aroundStep, assertRunHook, isRunHook, type RunHooks } from './run-hooks.ts'

const step = { node: 'a' } as unknown as Step

type Hook = RunHooks['onStep']

describe('hooks around a step', () => {
  it('run in order, each around all that follow, and the component is innermost', async () => {
    const trace: string[] = []
    const hook =
      (name: string): Hook =>
      async (_step, next) => {
        trace.push(`${name} in`)
        const outputs = await next()
        trace.push(`${name} out`)
        return outputs
      }
    const run = aroundStep([hook('root'), hook('sales'), hook('eu')], () => void trace.push('run'))
    await run(step)
    assert.deepEqual(trace, ['root in', 'sales in', 'eu in', 'run', 'eu out', 'sales out', 'root out'])
  })

  it('get the step, and pass it on as it is', () => {
    const got: unknown[] = []
    const hook: Hook = (given, next) => {
      got.push(given)
      return next()
    }
    aroundStep([hook, hook], (given) => void got.push(given))(step)
    assert.deepEqual(got, [step, step, step])
  })

  it('decide what the step puts out', async () => {
    const double: Hook = async (_step, next) => {
      const { n } = (await next()) as { n: number }
      return { n: n * 2 }
    }
    const addOne: Hook = async (_step, next) => {
      const { n } = (await next()) as { n: number }
      return { n: n + 1 }
    }
    assert.deepEqual(await aroundStep([double, addOne], () => ({ n: 5 }))(step), { n: 12 })
    assert.deepEqual(await aroundStep([addOne, double], () => ({ n: 5 }))(step), { n: 11 })
  })

  it('may answer without the component', () => {
    let ran = false
    const outputs = aroundStep([() => ({ n: 1 })], () => {
      ran = true
    })(step)
    assert.deepEqual([outputs, ran], [{ n: 1 }, false])
  })

  it('return nothing where they forget what is inside', () => {
    assert.equal(aroundStep([(_step, next) => void next()], () => ({ n: 1 }))(step), undefined)
  })

  it('hear what is thrown inside, may stop it, and may throw themselves', async () => {
    const fails = () => {
      throw new Error('inside')
    }
    const passes: Hook = (_step, next) => next()
    assert.throws(() => aroundStep([passes, passes], fails)(step), /inside/)
    const stops: Hook = (_step, next) => {
      try {
        return next()
      } catch (error) {
        return { said: (error as Error).message }
      }
    }
    assert.deepEqual(aroundStep([stops, passes], fails)(step), { said: 'inside' })
    const refuses: Hook = () => {
      throw new Error('refused')
    }
    let ran = false
    const run = aroundStep([passes, refuses], () => {
      ran = true
    })
    assert.throws(() => run(step), /refused/)
    assert.equal(ran, false)
    await assert.rejects(async () => aroundStep([async () => fails()], () => 1)(step), /inside/)
  })

  it('may try again', () => {
    let tries = 0
    const twice: Hook = (_step, next) => {
      try {
        return next()
      } catch {
        return next()
      }
    }
    const outputs = aroundStep([twice], () => {
      if (++tries === 1) throw new Error('once')
      return { tries }
    })(step)
    assert.deepEqual(outputs, { tries: 2 })
  })

  it('are empty where none are given', () => {
    const inner = () => 'as it is'
    assert.equal(aroundStep([], inner), inner)
  })
})

describe('adding a run hook', () => {
  it('asks for a name that there is, and a function', () => {
    for (const name of ['onRunStart', 'onStep', 'onRunEnd']) {
      assert.ok(isRunHook(name))
      assertRunHook(name, () => {})
      assert.throws(() => assertRunHook(name, 'no function'), /must be a function/)
    }
    for (const name of ['onRequest', 'onstep', '', 'toString']) {
      assert.ok(!isRunHook(name))
      assert.throws(() => assertRunHook(name, () => {}), /Use one of onRunStart, onStep, onRunEnd/)
    }
  })
})
