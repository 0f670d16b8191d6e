/** A plugin for the stories: a component with a field of every kind. */
function kinds(context: { component(definition: object): void }): void {
  context.component({
    type: 'kinds',
    title: 'Kinds',
    fields: {
      count: { kind: 'number', title: 'Count', default: 3, min: 1, integer: true },
      loud: { kind: 'boolean', title: 'Loud' },
      size: { kind: 'choice', title: 'Size', choices: ['small', 'large'] },
      extra: { kind: 'json', title: 'Extra' },
      words: { kind: 'text', title: 'Words', multiline: true, help: 'One per line.' },
      keys: {
        kind: 'rows',
        title: 'Keys',
        item: 'key',
        columns: {
          field: { title: 'Key', path: true },
          direction: { title: 'Direction', choices: ['up', 'down'] }
        }
      },
      secret: { kind: 'secret', title: 'Secret' }
    },
    outputs: { data: { title: 'Data', type: 'data' } },
    run: ({ fields }: { readonly fields: unknown }) => ({ data: fields })
  })
}

/** Shared: it registers in the root, so that flows in every context see it. */
export default Object.assign(kinds, { [Symbol.for('skip-override')]: true })
