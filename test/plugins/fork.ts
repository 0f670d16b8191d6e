interface ForkStep {
  readonly inputs: { readonly data: { readonly way?: string } }
}

/** A plugin for the stories: what reaches it leaves by the output that it names itself, and the other is silent. */
function fork(context: { component(definition: object): void }): void {
  const port = { title: 'Data', type: 'any' }
  context.component({
    type: 'fork',
    title: 'Fork',
    effects: 'pure',
    inputs: { data: port },
    outputs: { left: port, right: port },
    run: ({ inputs: { data } }: ForkStep) => (data.way === undefined ? {} : { [data.way]: data })
  })
}

/** Shared: it registers in the root, so that flows in every context see it. */
export default Object.assign(fork, { [Symbol.for('skip-override')]: true })
