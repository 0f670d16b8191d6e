import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { AskingAgain } from './asking-again.ts'

/** A service that knows one number, and answers when it is told to. */
class Service {
  number = 1
  asked = 0
  #answers: (() => void)[] = []

  /** What it says is what was true when it was asked. */
  readonly read = async (): Promise<number> => {
    const { number } = this
    this.asked++
    await new Promise<void>((resolve) => this.#answers.push(resolve))
    return number
  }

  async answer(): Promise<void> {
    for (const answer of this.#answers.splice(0)) answer()
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

function watch(t: TestContext) {
  const queries = new QueryClient()
  const service = new Service()
  const asking = new AskingAgain(queries)
  const stop = asking.start()
  const observer = new QueryObserver(queries, { queryKey: ['run', '7'], queryFn: service.read })
  const leave = observer.subscribe(() => {})
  t.after(() => {
    leave()
    stop()
    queries.clear()
  })
  return { service, ask: asking.ask, shown: () => observer.getCurrentResult().data }
}

describe('asking again', () => {
  it('asks once more when the first answer is on its way', async (t) => {
    const { service, ask, shown } = watch(t)
    service.number = 2
    ask({ queryKey: ['run', '7'] })
    assert.equal(service.asked, 1)
    await service.answer()
    assert.equal(shown(), 1)
    await service.answer()
    assert.deepEqual([shown(), service.asked], [2, 2])
  })

  it('lets every answer in, however often something happens', async (t) => {
    const { service, ask, shown } = watch(t)
    await service.answer()
    for (let number = 2; number <= 9; number++) {
      service.number = number
      ask({ queryKey: ['run', '7'] })
      ask({ queryKey: ['run', '7'] })
      await service.answer()
    }
    assert.equal(shown(), 8)
    await service.answer()
    assert.deepEqual([shown(), service.asked], [9, 10])
  })

  it('leaves alone what nothing happened to', async (t) => {
    const { service, ask } = watch(t)
    ask({ queryKey: ['run', '8'] })
    await service.answer()
    assert.equal(service.asked, 1)
  })
})
