/** A plugin for the stories: components that name connections, and do nothing with them. */
function reach(context: { component(definition: object): void }): void {
  context.component({
    type: 'reach-api',
    title: 'Reach an API',
    category: 'Reach',
    fields: { connection: { kind: 'connection', title: 'Connection', kinds: ['http'] } },
    inputs: { data: { title: 'Data', type: 'any' } },
    outputs: { body: { title: 'Body', type: 'any' } },
    run: () => ({ body: null })
  })
  context.component({
    type: 'reach-model',
    title: 'Reach a model',
    category: 'Reach',
    fields: {
      connection: { kind: 'connection', title: 'Connection', kinds: ['openai', 'anthropic'] },
      fallback: {
        kind: 'connection',
        title: 'Otherwise',
        help: 'Used where the first one fails.',
        kinds: ['openai', 'anthropic'],
        optional: true
      }
    },
    inputs: { text: { title: 'Text', type: 'text' } },
    outputs: { text: { title: 'Text', type: 'text' } },
    run: () => ({ text: '' })
  })
}

/** Shared: it registers in the root, so that flows in every context see it. */
export default Object.assign(reach, { [Symbol.for('skip-override')]: true })
