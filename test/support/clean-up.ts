import { after } from 'node:test'

/** What something lives as long as: a test, or a whole file. */
export interface Lifetime {
  after(task: () => unknown): void
}

/** Called at the top of a file: for what all of its tests share. */
export function lifetimeOfFile(): Lifetime {
  const tasks: (() => unknown)[] = []
  after(async () => {
    for (const task of tasks.splice(0)) await task()
  })
  return { after: (task) => tasks.push(task) }
}

const stacks = new WeakMap<Lifetime, (() => unknown)[]>()

/**
 * Runs when the test is over, what was added last first: a folder goes after the service that lives in it.
 * Node's own hooks run in the order in which they were added.
 */
export function cleanUp(test: Lifetime, task: () => unknown): void {
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
  // Node keeps every test to the end of the process, and with it all that its tasks hold: a whole service each.
  for (const task of stack.splice(0).toReversed()) {
    try {
      await task()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'cleaning up failed')
}
