/** A plugin for the stories: a component that reaches outside with a secret of its own. */
function secretive(context: { component(definition: object): void }): void {
  context.component({
    type: 'secretive',
    title: 'Secretive',
    fields: {
      words: { kind: 'text', title: 'Words' },
      secret: { kind: 'secret', title: 'Secret' }
    },
    inputs: { data: { title: 'Data', type: 'any' } },
    outputs: { data: { title: 'Data', type: 'data' } },
    run: () => ({ data: {} })
  })
}

/** Shared: it registers in the root, so that flows in every context see it. */
export default Object.assign(secretive, { [Symbol.for('skip-override')]: true })
