import { writeSync } from 'node:fs'

interface DeadlyStep {
  readonly inputs: {
    readonly data: { readonly deadly?: boolean; readonly endless?: boolean; readonly loop?: boolean }
  }
}

/** For ever, and nothing else gets the thread: it says so first, since nobody else can. */
function loop(): never {
  writeSync(2, 'a step loops\n')
  for (;;);
}

/** A plugin for the stories: a component that takes the whole process with it, or never ends, when its data says so. */
function deadly(context: { component(definition: object): void }): void {
  context.component({
    type: 'deadly',
    title: 'Deadly',
    description: 'Passes its data on, kills the process, holds its thread, or never ends.',
    effects: 'pure',
    inputs: { data: { title: 'Data', type: 'data' } },
    outputs: { data: { title: 'Data', type: 'data' } },
    run: ({ inputs: { data } }: DeadlyStep) => {
      if (data.deadly === true) process.kill(process.pid, 'SIGKILL')
      if (data.loop === true) loop()
      return data.endless === true ? new Promise(() => {}) : { data }
    }
  })
}

export default Object.assign(deadly, { [Symbol.for('skip-override')]: true })
