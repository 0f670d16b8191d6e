import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import myPlugin from './index.js'

describe('my-plugin', () => {
  it('greets whoever the data names', async () => {
    assert.deepEqual(await run('my-plugin', { data: { name: 'Ann' } }), { text: 'Hello Ann' })
  })

  it('greets as the field says', async () => {
    assert.deepEqual(await run('my-plugin', { data: { name: 'Ann' } }, { greeting: 'Hi' }), {
      text: 'Hi Ann'
    })
  })

  it('says what to send where the data has no name', async () => {
    for (const data of [undefined, null, 'Ann', {}, { name: 7 }]) {
      await assert.rejects(run('my-plugin', { data }), { code: 'no_name', retryable: false })
    }
  })
})

/** Runs a component of the plugin as a step would, with the defaults of the fields that are not given. */
async function run(type, inputs, fields = {}) {
  const component = (await load()).find((candidate) => candidate.type === type)
  assert.ok(component, `the plugin has no component "${type}"`)
  const defaults = Object.entries(component.fields ?? {}).map(([name, field]) => [name, field.default])
  return component.run({ inputs, fields: { ...Object.fromEntries(defaults), ...fields } })
}

/** Loads the plugin into a context that does nothing but keep the components. */
async function load() {
  const components = []
  await myPlugin({ component: (definition) => components.push(definition) })
  return components
}
