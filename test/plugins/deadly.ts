interface DeadlyStep {
  readonly inputs: { readonly data: { readonly deadly?: boolean; readonly endless?: boolean } }
}

/** A plugin for the stories: a component that takes the whole process with it, or never ends, when its data says so. */
function deadly(context: { component(definition: object): void }): void {
  context.component({
    type: 'deadly',
    title: 'Deadly',
    description: 'Passes its data on, kills the process, or never ends.',
    effects: 'pure',
    inputs: { data: { title: 'Data', type: 'data' } },
    outputs: { data: { title: 'Data', type: 'data' } },
    run: ({ inputs: { data } }: DeadlyStep) => {
      if (data.deadly === true) process.kill(process.pid, 'SIGKILL')
      return data.endless === true ? new Promise(() => {}) : { data }
    }
  })
}

export default Object.assign(deadly, { [Symbol.for('skip-override')]: true })
