interface RowsStep {
  readonly inputs: { readonly data: { readonly rows: unknown } }
}

/** A plugin for the stories: a component that puts out a table. */
function rows(context: { component(definition: object): void }): void {
  context.component({
    type: 'rows',
    title: 'Rows',
    effects: 'pure',
    inputs: { data: { title: 'Data', type: 'data' } },
    outputs: { rows: { title: 'Rows', type: 'table' } },
    run: ({ inputs }: RowsStep) => ({ rows: inputs.data.rows })
  })
}

/** Shared: it registers in the root, so that flows in every context see it. */
export default Object.assign(rows, { [Symbol.for('skip-override')]: true })
