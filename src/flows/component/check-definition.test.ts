import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkDefinition } from './check-definition.ts'
import type { AnyComponent } from './component.ts'

function greet(more: object): AnyComponent {
  return { type: 'greet', title: 'Greet', run: () => ({}), ...more }
}

describe('the definition of a component', () => {
  it('may say what it is called elsewhere, and give an example', () => {
    checkDefinition(greet({ keywords: ['hello', 'say hi'], example: 'Says "Hello Ann".' }))
  })

  it('is refused where these are no texts', () => {
    assert.throws(() => checkDefinition(greet({ keywords: 'hello' })), /keywords is not a list of texts/)
    assert.throws(() => checkDefinition(greet({ keywords: ['hello', 1] })), /keywords is not a list of texts/)
    assert.throws(() => checkDefinition(greet({ example: {} })), /example is not a text/)
  })

  it('may report usage by an output of its own only', () => {
    checkDefinition(greet({ reportsUsage: true, outputs: { usage: { type: 'any' } } }))
    const listed = { fields: { cases: { kind: 'list', title: 'Cases' } }, outputsFromList: 'cases' }
    assert.throws(() => checkDefinition(greet({ reportsUsage: true, ...listed })), /no output "usage"/)
    assert.throws(() => checkDefinition(greet({ reportsUsage: 'yes' })), /reportsUsage is not a boolean/)
  })

  it('refuses an output that it tells and does not have', () => {
    checkDefinition(greet({ emits: 'text', outputs: { text: { type: 'text' } } }))
    assert.throws(() => checkDefinition(greet({ emits: 'said' })), /emits is "said"/)
    assert.throws(() => checkDefinition(greet({ prints: 'said' })), /prints is "said"/)
  })

  it('names fields that fit into a line of the node as those that matter most', () => {
    const fields = { url: { kind: 'template', title: 'URL' }, body: { kind: 'json', title: 'Body' } }
    checkDefinition(greet({ fields, mainFields: ['url'] }))
    assert.throws(() => checkDefinition(greet({ fields, mainFields: ['body'] })), /mainFields has "body"/)
    assert.throws(() => checkDefinition(greet({ fields, mainFields: ['name'] })), /mainFields has "name"/)
    assert.throws(() => checkDefinition(greet({ fields, mainFields: 'url' })), /mainFields is not a list/)
  })

  it('offers tools by the output of that name, and says what', () => {
    const outputs = { tools: { title: 'Tools', type: 'tools' } }
    const offer = () => []
    checkDefinition(greet({ outputs, tools: { offer } }))
    assert.throws(() => checkDefinition(greet({ outputs })), /Say what it offers/)
    assert.throws(() => checkDefinition(greet({ outputs, tools: { offer, call: 1 } })), /Say what it offers/)
    assert.throws(() => checkDefinition(greet({ tools: { offer } })), /no output "tools"/)
    assert.throws(() => checkDefinition(greet({ outputs: { kit: outputs.tools } })), /Call it "tools"/)
    assert.throws(() => checkDefinition(greet({ acts: true })), /acts is not a function/)
  })

  it('is refused where its runs would pass for those that somebody else starts', () => {
    const tick = greet({ type: 'tick', trigger: 'tick', startedBy: 'service' })
    const starts = (trigger: string) => greet({ start: () => {}, trigger })
    checkDefinition(starts('mail'), [tick])
    for (const taken of ['webhook', 'tick'])
      assert.throws(() => checkDefinition(starts(taken), [tick]), /webhook, chat, api, tick are taken/)
  })
})
