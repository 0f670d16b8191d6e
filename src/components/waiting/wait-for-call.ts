import { defineComponent, type JsonValue } from '../../plugin-api.ts'
import { TIMEOUT_FIELD, timeoutFaults, timeoutOf } from './timeout.ts'

/** What a call brings: `wake` is given it, and `resume` gets it. */
interface TakenCall {
  readonly data: JsonValue
  readonly request: JsonValue
}

/** Waits until somebody outside calls the address of this run. */
export const waitForCall = defineComponent({
  type: 'wait-for-call',
  title: 'Wait for call',
  description:
    'Waits until somebody calls the address of this run: a payment that was made, a job that is done. Send the address before, with {$resume.<this node>} in any template.',
  category: 'Waiting',
  icon: 'phone-incoming',
  keywords: ['callback', 'resume', 'webhook', 'wait for webhook', 'signal', 'event', 'async'],
  example: 'Sends {$resume.wait-for-call-1} to the bank, and goes on when the bank calls it.',
  effects: 'pure',
  fields: { timeout: { ...TIMEOUT_FIELD, default: '3d' } },
  inputs: { data: { title: 'Data', type: 'any' } },
  outputs: {
    data: { title: 'Data', type: 'any', help: 'What came with the call.' },
    request: { title: 'Request', type: 'any', help: 'How it was called: method, headers, query, address.' },
    timed_out: { title: 'Timed out', type: 'any', help: 'The input, where nobody called in time.' }
  },
  check: ({ timeout }) => timeoutFaults(timeout),
  run: ({ fields, wait }) => wait({ kind: 'call', ...timeoutOf(fields.timeout) }),
  resume: ({ inputs }, { by, value }) => {
    if (by !== 'call') return { timed_out: inputs.data ?? null }
    const { data, request } = value as unknown as TakenCall
    return { data, request }
  }
})
