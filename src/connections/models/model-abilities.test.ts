import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { abilitiesOf, contextOf } from './model-abilities.ts'

describe('what a model can do', () => {
  it('is what its provider says, in the words of each', () => {
    const capabilities = { image_input: { supported: true }, pdf_input: { supported: false }, thinking: null }
    assert.deepEqual(abilitiesOf({ id: 'claude', type: 'model', capabilities }, 'anthropic'), ['images'])
    const google = { name: 'models/gemini', supportedGenerationMethods: ['generateContent'], thinking: true }
    assert.deepEqual(abilitiesOf(google, 'google'), ['text', 'reasoning'])
    const embeds = { name: 'models/embeds', supportedGenerationMethods: ['embedContent'] }
    assert.deepEqual(abilitiesOf(embeds, 'google'), ['embeddings'])
    const mistral = { capabilities: { completion_chat: true, function_calling: true, vision: false } }
    assert.deepEqual(abilitiesOf(mistral, 'openai-compatible'), ['text', 'tools'])
    const router = {
      architecture: { input_modalities: ['text', 'image', 'file'], output_modalities: ['text'] },
      supported_parameters: ['tools', 'structured_outputs', 'seed']
    }
    assert.deepEqual(abilitiesOf(router, 'openai-compatible'), [
      'text',
      'images',
      'documents',
      'tools',
      'structured output'
    ])
  })

  it('follows from its name at OpenAI, which says nothing, and is unknown of others that say nothing', () => {
    const named = (id: string) => abilitiesOf({ id }, 'openai').join()
    assert.equal(named('gpt-5-mini'), 'text')
    assert.equal(named('text-embedding-3-small'), 'embeddings')
    assert.equal(named('gpt-4o-transcribe'), 'transcription')
    assert.equal(named('gpt-image-1'), 'making images')
    assert.deepEqual(abilitiesOf({ id: 'llama' }, 'openai-compatible'), [])
  })

  it('is nothing where what is said is not what it should be', () => {
    for (const odd of [null, 7, 'text', [null], { vision: 'yes' }])
      assert.deepEqual(abilitiesOf({ capabilities: odd, architecture: odd }, 'openai-compatible'), [])
  })

  it('takes as many tokens as are named', () => {
    assert.equal(contextOf({ inputTokenLimit: 1_048_576 }), 1_048_576)
    assert.equal(contextOf({ context_length: 'many', max_context_length: 32_768 }), 32_768)
    assert.equal(contextOf({ context_window: -1 }), undefined)
  })
})
