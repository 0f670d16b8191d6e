import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { parseJson } from '../flows/json/exact-json.ts'
import { chatInput } from './chat-input.ts'
import { chatOutput } from './chat-output.ts'
import { failureOf, runStep } from './step.test-kit.ts'

describe('Chat Input', () => {
  const turn = (options: Parameters<typeof runStep>[1]) => runStep(chatInput, options).outputs.message

  it('takes its wire over the run’s input, and that over its field', () => {
    const fields = { text: 'field' }
    const input = { text: 'run', session: 's' }
    assert.equal(turn({ inputs: { text: 'wire' }, input, fields }), 'wire')
    assert.equal(turn({ inputs: {}, input, fields }), 'run')
    assert.equal(turn({ inputs: {}, input: null, fields }), 'field')
  })

  it('reads a run’s input that is text, or data as JSON', () => {
    assert.equal(turn({ input: 'hi' }), 'hi')
    assert.equal(turn({ input: { order: 7 } }), '{"order":7}')
    assert.equal(turn({ input: parseJson('12345678901234567890') }), '12345678901234567890')
    assert.equal(turn({}), '')
  })

  it('reads what a person says out of wired data', () => {
    const fields = { text: '{message.text}' }
    const inputs = { data: { update_id: 3, message: { text: 'hi' } } }
    assert.equal(turn({ inputs, fields }), 'hi')
    assert.equal(turn({ inputs: { ...inputs, text: 'wire' }, fields }), 'wire')
    assert.equal(turn({ inputs }), JSON.stringify(inputs.data))
    assert.equal(turn({ input: { text: 'typed' }, fields }), 'typed')
    const error = failureOf(chatInput, { inputs: { data: { update_id: 4 } }, fields })
    assert.equal(error.code, 'template_missing_key')
    assert.match(error.message, /^Field "text"/)
  })

  it('says what it took as the user, in the session of its field or else of the run', () => {
    const said = runStep(chatInput, { input: 'hi', session: 'run-s' }).messages
    assert.deepEqual(said, [{ text: 'hi', sender: 'User', session: 'run-s' }])
    const fields = { session: 'mine' }
    assert.equal(runStep(chatInput, { input: 'hi', session: 'run-s', fields }).messages[0]?.session, 'mine')
  })

  it('gives the files that came with the message', () => {
    const files = [{ file: 'file_1', filename: 'a.png', content_type: 'image/png', size: 1 }]
    assert.deepEqual(runStep(chatInput, { input: { text: 'look', files } }).outputs, {
      message: 'look',
      files
    })
    for (const input of ['look', { text: 'look' }, { text: 'look', files: [] }, { text: 'look', files: 'a' }])
      assert.deepEqual(runStep(chatInput, { input }).outputs, { message: 'look' })
  })

  it('reads the session out of what reaches it, or of the input of the run', () => {
    const fields = { session: 'chat-{from.id}' }
    const sessionOf = (options: object) => runStep(chatInput, { fields, ...options }).messages[0]?.session
    assert.equal(sessionOf({ input: { text: 'hi', from: { id: 7 } } }), 'chat-7')
    assert.equal(sessionOf({ inputs: { text: 'hi' }, input: { from: { id: 8 } } }), 'chat-8')
    assert.equal(sessionOf({ inputs: { text: { from: { id: 9 } } }, input: { from: { id: 8 } } }), 'chat-9')
  })
})

describe('Chat Output', () => {
  it('says the text that reaches it, and gives it on', () => {
    const { outputs, messages } = runStep(chatOutput, { inputs: { text: 'done' }, session: 's' })
    assert.deepEqual(outputs, { message: 'done' })
    assert.deepEqual(messages, [{ text: 'done', sender: 'Machine', session: 's' }])
  })

  it('says it in the session of its field where that is set', () => {
    const { messages } = runStep(chatOutput, {
      inputs: { text: 'a' },
      fields: { session: 'mine' },
      session: 's'
    })
    assert.equal(messages[0]?.session, 'mine')
  })

  it('reads the session out of the input of the run, where only text reaches it', () => {
    const fields = { session: '{user}' }
    const { messages } = runStep(chatOutput, { inputs: { text: 'a' }, fields, input: { user: 'ann' } })
    assert.equal(messages[0]?.session, 'ann')
    const error = failureOf(chatOutput, { inputs: { text: 'a' }, fields, input: {} })
    assert.equal(error.code, 'template_missing_key')
  })

  it('says empty text too', () => {
    assert.equal(runStep(chatOutput, { inputs: { text: '' } }).messages[0]?.text, '')
  })

  it('prints what is not text as JSON', () => {
    assert.equal(runStep(chatOutput, { inputs: { text: { a: 1 } } }).outputs.message, '{\n  "a": 1\n}')
    assert.equal(runStep(chatOutput, { inputs: { text: 5 } }).outputs.message, '5')
  })

  it('fails where no text reaches it, and says what to wire', () => {
    for (const text of [undefined, null]) {
      const error = failureOf(chatOutput, { inputs: { text } })
      assert.equal(error.code, 'no_data')
      assert.match(error.message, /Wire a Text output to its input "text"/)
    }
  })
})
