interface Registers {
  component(definition: object): void
}

const CATEGORIES = ['Logic', 'Data', 'Reach out', 'Warehouse', 'Billing', 'Human resources and payroll']

/** A plugin for the stories of the palette: sixty components, as a company has them. */
function many(context: Registers): void {
  for (let number = 1; number <= 60; number++) {
    context.component({
      type: `part-${number}`,
      title: number === 60 ? 'Reconcile the ledger with the bank statement' : `Part ${number}`,
      description: `Does what part number ${number} of the company does.`,
      category: CATEGORIES[number % CATEGORIES.length],
      icon: ['table', 'mail', 'users', 'nothing-known'][number % 4],
      keywords: [`sku ${number}`],
      example: `Part ${number} of {order_id}.`,
      effects: 'pure',
      inputs: { data: { title: 'Data', type: 'any' } },
      outputs: { data: { title: 'Data', type: 'any' } },
      run: ({ inputs }: { inputs: { data: unknown } }) => ({ data: inputs.data })
    })
  }
}

/** Shared: it registers in the root, so that flows in every context see it. */
export default Object.assign(many, { [Symbol.for('skip-override')]: true })
