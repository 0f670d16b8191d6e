import type { Context } from 'millrace'

export default async function fetchJson(context: Context) {
  context.component({
    type: 'fetch-json',
    title: 'Fetch JSON',
    description: 'Sends its data to an address and gives what comes back.',
    effects: 'external',
    timeoutMs: 10_000,
    retry: { attempts: 4, backoffMs: 500, maxBackoffMs: 30_000 },
    fields: {
      url: { kind: 'text', title: 'Address', placeholder: 'https://crm.example/customers' },
      method: { kind: 'choice', title: 'Method', choices: ['GET', 'POST'], default: 'GET' },
      token: { kind: 'secret', title: 'Token', help: 'Sent as Authorization: Bearer.', hidden: true }
    },
    inputs: { data: { title: 'Data', type: 'any' } },
    outputs: { answer: { title: 'Answer', type: 'data' } },
    run: async ({ inputs, fields, run, fetch, idempotencyKey }) => {
      const response = await fetch(fields.url, {
        method: fields.method,
        headers: {
          'idempotency-key': idempotencyKey,
          ...(fields.token === '' ? {} : { authorization: `Bearer ${fields.token}` })
        },
        ...(fields.method === 'POST' ? { body: JSON.stringify(inputs.data ?? null) } : {})
      })
      if (!response.ok) throw refusal(response)
      run.say({ text: `${fields.url} answered ${response.status}.` })
      return { answer: await response.json() }
    }
  })
}

function refusal({ status, headers }: Response): Error {
  const seconds = Number(headers.get('retry-after'))
  return Object.assign(new Error(`The address answered ${status}. Check it, and the token.`), {
    code: 'refused',
    retryable: status === 429 || status >= 500,
    retryAfterMs: seconds > 0 ? seconds * 1000 : undefined
  })
}
