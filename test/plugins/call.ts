interface CallStep {
  readonly inputs: { readonly data: unknown }
  readonly fields: { readonly url: string }
  readonly signal: AbortSignal
  readonly attempt: number
  readonly idempotencyKey: string
}

/** A plugin for the stories: a component that reaches outside, by sending what it gets to an address. */
function call(context: { component(definition: object): void }): void {
  context.component({
    type: 'call',
    title: 'Call',
    description: 'Sends its data to an address and gives what comes back.',
    effects: 'external',
    fields: { url: { kind: 'text', title: 'Address' } },
    inputs: { data: { title: 'Data', type: 'any' } },
    outputs: { data: { title: 'Data', type: 'data' } },
    run: async ({ inputs, fields, signal, attempt, idempotencyKey }: CallStep) => {
      const response = await fetch(fields.url, {
        method: 'POST',
        body: JSON.stringify(inputs.data ?? null),
        headers: { 'idempotency-key': idempotencyKey, 'x-attempt': String(attempt), connection: 'close' },
        signal
      })
      if (response.ok) return { data: await response.json() }
      throw Object.assign(new Error(`The other side answered ${response.status}. Try again later.`), {
        code: 'call_refused',
        retryable: response.status >= 500
      })
    }
  })
}

/** Shared: it registers in the root, so that flows in every context see it. */
export default Object.assign(call, { [Symbol.for('skip-override')]: true })
