import type { TestContext } from 'node:test'

const stacks = new WeakMap<TestContext, (() => unknown)[]>()

/**
 * Runs when the test is over, what was added last first: a folder goes after the service that lives in it.
 * Node's own hooks run in the order in which they were added.
 */
export function cleanUp(test: TestContext, task: () => unknown): void {
  const known = stacks.get(test)
  if (known !== undefined) {
    known.push(task)
    return
  }
  const stack = [task]
  stacks.set(test, stack)
  test.after(() => runAll(stack))
}

async function runAll(stack: (() => unknown)[]): Promise<void> {
  const failures: unknown[] = []
  for (const task of stack.toReversed()) {
    try {
      await task()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'cleaning up failed')
}
